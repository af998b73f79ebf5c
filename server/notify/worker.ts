import { claimDeliveries, forgetDeliveries } from "@/server/store/webhooks/outbox";
import { deliverOnce, type NotifyDeps } from "./deliver";
import { workOutbox } from "./outbox-worker";

/** Delivers webhooks, one at a time for each endpoint. */
export const workWebhooks = (deps: NotifyDeps, signal: AbortSignal): Promise<void> =>
  workOutbox(
    {
      what: "webhooks",
      claim: async ({ busy, ...turn }) =>
        (await claimDeliveries({ ...turn, busyEndpoints: busy })).map((delivery) => ({
          key: delivery.endpointId,
          run: () => deliverOnce(deps, delivery),
        })),
      forget: forgetDeliveries,
    },
    deps.clock,
    signal,
  );
