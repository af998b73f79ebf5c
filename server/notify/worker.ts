import { storeDueReminders } from "@/server/store/approvals/reminders";
import { claimDeliveries, forgetDeliveries } from "@/server/store/webhooks/outbox";
import { deliverOnce, type NotifyDeps } from "./deliver";
import { workOutbox } from "./outbox-worker";

const REMIND_EVERY_MS = 10_000;

export const workWebhooks = (deps: NotifyDeps, signal: AbortSignal): Promise<void> => {
  let remindedAt = 0;

  return workOutbox(
    {
      what: "webhooks",
      claim: async ({ busy, ...turn }) => {
        if (turn.now - remindedAt >= REMIND_EVERY_MS) {
          remindedAt = turn.now;
          await storeDueReminders(turn.now);
        }

        return (await claimDeliveries({ ...turn, busyEndpoints: busy })).map((delivery) => ({
          key: delivery.endpointId,
          run: () => deliverOnce(deps, delivery),
        }));
      },
      forget: forgetDeliveries,
    },
    deps.clock,
    signal,
  );
};
