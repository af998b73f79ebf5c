import type { Clock } from "@/server/clock";
import type { Signer } from "@/server/security/keyring";
import { SILENT_AFTER_MS } from "@/server/store/health";
import { hintAbout } from "@/server/store/trust/key-hints";

export type NotReady =
  | "draining"
  | "database_unreachable"
  /** The signing key handed over, and the next is not here. */
  | "key_retired"
  | "heartbeat_missing";

export type Readiness = {
  readonly beaten: () => void;
  readonly drain: () => void;
  readonly reason: () => Promise<NotReady | null>;
};

const ANSWER_MS = 2_000;
/** Minimum interval between database probes. */
const FRESH_MS = 1_000;

/** Returns null on timeout or failure. */
export const soon = async <T>(work: Promise<T>): Promise<T | null> => {
  const timer = new AbortController();
  const late = new Promise<null>((resolve) => {
    const timeout = setTimeout(() => resolve(null), ANSWER_MS);
    timer.signal.addEventListener("abort", () => clearTimeout(timeout));
  });
  try {
    return await Promise.race([work.catch(() => null), late]);
  } finally {
    timer.abort();
  }
};

/** A silently dead connection may never answer. */
const GIVEN_UP_MS = 10_000;

/** Caches a probe's answer, without concurrent probes. */
export const cacheFor = <T>(clock: Clock, freshMs: number, ask: () => Promise<T>): (() => Promise<T>) => {
  let answer: Promise<T> | null = null;
  let until = 0;

  return () => {
    if (answer !== null && clock.now() < until) return answer;
    const asked = ask();
    const settle = () => {
      if (answer === asked) until = clock.now() + freshMs;
    };
    answer = asked;
    until = clock.now() + GIVEN_UP_MS;
    asked.then(settle, settle);

    return asked;
  };
};

export const createReadiness = (clock: Clock, signer: Pick<Signer, "kid" | "publicKey">): Readiness => {
  let beatenAt: number | null = null;
  let isDraining = false;
  /** Also tells whether the key may still sign. */
  const standing = cacheFor(clock, FRESH_MS, async () => {
    const { believed } = await hintAbout({ kid: signer.kid, publicKey: signer.publicKey });

    return { isRetired: believed !== null && clock.now() >= believed.statement.at };
  });

  return {
    beaten: () => {
      beatenAt = clock.now();
    },
    drain: () => {
      isDraining = true;
    },
    reason: async () => {
      if (isDraining) return "draining";
      const answer = await soon(standing());
      if (!answer) return "database_unreachable";
      if (answer.isRetired) return "key_retired";

      return beatenAt === null || clock.now() - beatenAt >= SILENT_AFTER_MS ? "heartbeat_missing" : null;
    },
  };
};
