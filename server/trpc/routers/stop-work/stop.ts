import type { StopCommand } from "@/lib/stop/command";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { Sender } from "@/server/store/runs/command-envelope";
import { createProcedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

type Asking = { readonly workspaceId: string; readonly author: Sender };

/** Returns the record's number in the workspace's ledger. */
const submit = async ({ workspaceId, author }: Asking, body: StopCommand): Promise<{ readonly record: number }> => {
  const { seq } = await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });

  return { record: seq };
};

/** Stops the workspace's work, without proof of identity: it must be quick. */
export const workStop = createProcedure("work.stop").mutation(({ ctx }) => submit(ctx, { kind: "work_stop" }));

export const workResume = createProcedure("work.stop", { fresh: true }).mutation(({ ctx }) => submit(ctx, { kind: "work_resume" }));
