import { AppError } from "@/lib/errors";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { outputsGrantSchema } from "@/lib/webhooks/outputs";
import { getWebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";
import { endpointInput } from "./input";

export const webhooksSetOutputs = createProcedure("webhook.manage", { fresh: true })
  .input(endpointInput.extend(outputsGrantSchema.pick({ outputs: true, clearance: true }).shape))
  .mutation(async ({ ctx: { workspaceId, author }, input: { endpointId, outputs, clearance } }) => {
    const endpoint = await getWebhookEndpoint(workspaceId, endpointId);
    if (!endpoint) throw new AppError("not_found");
    const grant = { url: endpoint.url, outputs: [...new Set(outputs)], clearance };
    const body = { kind: "webhook_outputs", endpoint: endpointId, grant } as const;
    const { seq } = await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });

    return { record: seq };
  });
