import type { PolicyCommand } from "@/lib/approval-policy/command";
import type { Sender } from "@/server/store/runs/command-envelope";
import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { submitCommand } from "@/server/web/submit-command";

type Asking = { readonly workspaceId: string; readonly author: Sender };

/** Asks the runner, which alone decides and carries it out. @returns the number of its record in the workspace's own ledger */
export const submitPolicy = async ({ workspaceId, author }: Asking, body: PolicyCommand): Promise<{ readonly record: number }> => {
  const { seq } = await submitCommand({ workspaceId, author, runId: workspaceLedgerId(workspaceId), body });

  return { record: seq };
};
