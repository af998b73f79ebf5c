import { z } from "zod";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { createProcedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

export const alarmsAcknowledge = createProcedure("alarm.manage")
  .input(z.strictObject({ alarm: z.uuid() }))
  .mutation(({ ctx, input: { alarm } }) => {
    const { workspaceId } = ctx;

    return submitCommand({
      workspaceId,
      author: ctx.author,
      runId: getWorkspaceLedgerId(workspaceId),
      body: { kind: "acknowledge_alarm", alarm },
    });
  });
