import type { PolicyCommand } from "@/lib/approval-policy/command";
import type { Sender } from "@/server/store/runs/command-envelope";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { submitCommand } from "@/server/web/submit-command";

type Asking = { readonly workspaceId: string; readonly author: Sender };

/** Returns the record's number in the workspace's ledger. */
export const submitPolicy = async ({ workspaceId, author }: Asking, body: PolicyCommand): Promise<{ readonly record: number }> => {
  const { seq } = await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });

  return { record: seq };
};
