import { AppError } from "@/lib/errors";
import { removeWebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";
import { endpointInput } from "./input";

export const webhooksRemove = createProcedure("webhook.manage")
  .input(endpointInput)
  .mutation(async ({ ctx, input }) => {
    if (!(await removeWebhookEndpoint(ctx.workspaceId, input.endpointId))) throw new AppError("not_found");

    return { removed: true };
  });
