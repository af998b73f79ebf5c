import type { Sender } from "@/server/store/runs/command-envelope";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { PeopleCommand } from "@/lib/people/command";
import { submitCommand } from "@/server/web/submit-command";

type Asking = { readonly workspaceId: string; readonly author: Sender };

/** Returns the record's number in the workspace's ledger. */
export const submitPeople = async ({ workspaceId, author }: Asking, body: PeopleCommand): Promise<{ record: number }> => {
  const { seq } = await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });

  return { record: seq };
};
