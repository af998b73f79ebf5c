/** Runners share an outbox through row claims. */
import { createAutoResetEvent } from "@/server/auto-reset-event";
import type { Clock } from "@/server/clock";
import { log } from "@/server/log";
import { SEND_TIMEOUT_MS } from "./message";

const POLL_MS = 1_000;
const MOST_AT_ONCE = 8;
/** Longer than an attempt, so an older claim's owner is gone. */
const CLAIM_MS = 3 * SEND_TIMEOUT_MS;
const FORGET_EVERY_MS = 3_600_000;
const KEPT_MS = 30 * 86_400_000;

export type OutboxJob = { readonly key: string; readonly run: () => Promise<void> };

export type Turn = {
  readonly now: number;
  readonly until: number;
  readonly busy: readonly string[];
  readonly limit: number;
};

export type Outbox = {
  readonly what: string;
  /** Claims what is due, at most one job for each key. */
  readonly claim: (turn: Turn) => Promise<readonly OutboxJob[]>;
  readonly forget: (beforeMs: number) => Promise<void>;
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "unknown");

/** Works until `signal` aborts, then waits for deliveries under way. */
export const workOutbox = async ({ what, claim, forget }: Outbox, clock: Clock, signal: AbortSignal): Promise<void> => {
  const bell = createAutoResetEvent(signal);
  const running = new Map<string, Promise<void>>();
  let forgottenAt = 0;
  const takeUp = async (): Promise<void> => {
    const now = clock.now();
    const limit = MOST_AT_ONCE - running.size;
    if (limit <= 0) return;
    for (const { key, run } of await claim({ now, until: now + CLAIM_MS, busy: [...running.keys()], limit })) {
      const done = run()
        .catch((error: unknown) => log().error({ key, error: nameOf(error) }, `${what} could not be sent`))
        .finally(() => {
          running.delete(key);
          bell.ring();
        });
      running.set(key, done);
    }
  };
  const forgetOld = async (): Promise<void> => {
    const now = clock.now();
    if (now - forgottenAt < FORGET_EVERY_MS) return;
    forgottenAt = now;
    await forget(now - KEPT_MS);
  };

  while (!signal.aborted) {
    try {
      await takeUp();
      await forgetOld();
    } catch (error) {
      log().warn({ error: nameOf(error) }, `${what} are not sent for a moment`);
    }
    await bell.wait(POLL_MS);
  }
  await Promise.all(running.values());
};
