import { z } from "zod";
import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { procedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

/** Acknowledges an alarm, on record. */
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
