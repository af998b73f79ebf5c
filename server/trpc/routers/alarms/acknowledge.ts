import { z } from "zod";
import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { procedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

/** Asks the runner to take an alarm off the pages, on record. */
export const alarmsAcknowledge = procedure("alarm.manage")
  .input(z.strictObject({ alarm: z.uuid() }))
  .mutation(({ ctx, input: { alarm } }) => {
    const { workspaceId } = ctx;

    return submitCommand({
      workspaceId,
      author: ctx.author,
      runId: workspaceLedgerId(workspaceId),
      body: { kind: "acknowledge_alarm", alarm },
    });
  });
