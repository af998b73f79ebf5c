/** Whether this runner does its work: one word for why it does not. */
import type { Clock } from "@/server/clock";
import type { Signer } from "@/server/security/keyring";
import { SILENT_AFTER_MS } from "@/server/store/health";
import { hintAbout } from "@/server/store/trust/key-hints";

export type NotReady =
  /** Told to stop: what it drives is put down, and nothing new is taken up. */
  | "draining"
  | "database_unreachable"
  /** The signing key has handed over and the next one is not here. */
  | "key_retired"
  /** Its row was not renewed lately: nobody knows that it is there. */
  | "heartbeat_missing";

export type Readiness = {
  /** The runner's row was renewed. */
  readonly beaten: () => void;
  /** From now on it is on its way out. */
  readonly drain: () => void;
  /** @returns null when it is ready */
  readonly reason: () => Promise<NotReady | null>;
};

const ANSWER_MS = 2_000;
/** However often somebody asks, the database is asked once in this time. */
const FRESH_MS = 1_000;

/** @returns null when it is not there in time, or fails */
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

/** A question that is not answered by then may never be: its connection may be gone without a word. */
const GIVEN_UP_MS = 10_000;

/** The newest answer to a question, asked again only when it is older than `freshMs`, and not while it is being asked. */
export const keptFor = <T>(clock: Clock, freshMs: number, ask: () => Promise<T>): (() => Promise<T>) => {
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
  /** One question that tells both whether the database answers and whether the key may still sign. */
  const standing = keptFor(clock, FRESH_MS, async () => {
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
