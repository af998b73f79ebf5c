/** Runners share the outbox through row claims. */
import { createAutoResetEvent } from "@/server/auto-reset-event";
import { log } from "@/server/log";
import { storeDueReminders } from "@/server/store/approvals/reminders";
import { claimDeliveries, forgetDeliveries } from "@/server/store/webhooks/outbox";
import { deliverOnce, type NotifyDeps } from "./deliver";
import { SEND_TIMEOUT_MS } from "./message";

const POLL_MS = 1_000;
const MOST_AT_ONCE = 8;
/** Longer than an attempt, so an older claim's owner is gone. */
const CLAIM_MS = 3 * SEND_TIMEOUT_MS;
const REMIND_EVERY_MS = 10_000;
const FORGET_EVERY_MS = 3_600_000;
const KEPT_MS = 30 * 86_400_000;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "unknown");

/** Works until `signal` aborts, then waits for deliveries under way. */
export const workWebhooks = async (deps: NotifyDeps, signal: AbortSignal): Promise<void> => {
  const bell = createAutoResetEvent(signal);
  /** One delivery per endpoint. */
  const running = new Map<string, Promise<void>>();
  let forgottenAt = 0;
  let remindedAt = 0;

  const takeUp = async (): Promise<void> => {
    const now = deps.clock.now();
    const limit = MOST_AT_ONCE - running.size;
    if (limit <= 0) return;
    for (const delivery of await claimDeliveries({ now, until: now + CLAIM_MS, busyEndpoints: [...running.keys()], limit })) {
      const done = deliverOnce(deps, delivery)
        .catch((error: unknown) => log().error({ delivery: delivery.id, error: nameOf(error) }, "a webhook could not be sent"))
        .finally(() => {
          running.delete(delivery.endpointId);
          bell.ring();
        });
      running.set(delivery.endpointId, done);
    }
  };
  const remind = async (): Promise<void> => {
    const now = deps.clock.now();
    if (now - remindedAt < REMIND_EVERY_MS) return;
    remindedAt = now;
    await storeDueReminders(now);
  };
  const forget = async (): Promise<void> => {
    const now = deps.clock.now();
    if (now - forgottenAt < FORGET_EVERY_MS) return;
    forgottenAt = now;
    await forgetDeliveries(now - KEPT_MS);
  };

  while (!signal.aborted) {
    try {
      await remind();
      await takeUp();
      await forget();
    } catch (error) {
      log().warn({ error: nameOf(error) }, "webhooks are not sent for a moment");
    }
    await bell.wait(POLL_MS);
  }
  await Promise.all(running.values());
};
