import { z } from "zod";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { redeliverWebhook } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";

/** Redelivers under the same id, so that receivers can deduplicate. */
export const webhooksRedeliver = createProcedure("webhook.manage")
  .input(z.strictObject({ deliveryId: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    if (!(await redeliverWebhook(ctx.workspaceId, input.deliveryId, systemClock.now()))) throw new AppError("not_found");

    return { queued: true };
  });
