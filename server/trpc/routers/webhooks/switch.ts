import { z } from "zod";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { switchWebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";
import { endpointInput } from "./input";

/** Off drops pending deliveries. */
export const webhooksSwitch = createProcedure("webhook.manage")
  .input(endpointInput.extend({ on: z.boolean() }))
  .mutation(async ({ ctx, input }) => {
    if (!(await switchWebhookEndpoint(ctx.workspaceId, input.endpointId, input.on, systemClock.now()))) throw new AppError("not_found");

    return { on: input.on };
  });
