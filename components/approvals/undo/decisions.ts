/** Pending decisions, outside React because a page may unmount. */
import {
  awaitAnswer,
  beginRun,
  listFailures,
  isDue,
  isLate,
  lapsed,
  computeLeftMs,
  canHurry,
  NOT_SENT,
  SEND_MS,
  sent,
  recordUndone,
  type Begin,
  type Outcome,
  type WaitingDecision,
} from "./waiting-decision";

const LANES = 4;

const TOLD_MS = 8_000;

export type Clock = {
  readonly now: () => number;
  /** @returns a function that cancels it */
  readonly after: (ms: number, run: () => void) => () => void;
};

/** Sends one part once, unless too late; never throws. */
export type Send = (approvalId: string, isTooLate: () => boolean) => Promise<Outcome>;

export const createDecisions = (clock: Clock) => {
  let all: readonly WaitingDecision[] = [];
  const sends = new Map<string, Send>();
  const shown = new Map<string, number>();
  const listeners = new Set<() => void>();

  const set = (next: readonly WaitingDecision[]) => {
    all = next;
    for (const listener of listeners) listener();
  };
  const find = (id: string) => all.find((one) => one.id === id);
  const replace = (next: WaitingDecision) => set(all.map((one) => (one.id === next.id ? next : one)));
  const forget = (id: string) => {
    sends.delete(id);
    set(all.filter((one) => one.id !== id));
  };

  const tidy = (id: string) => {
    const waiting = find(id);
    if (waiting && !shown.has(id) && (waiting.phase === "undone" || (waiting.phase === "settled" && listFailures(waiting).length === 0)))
      forget(id);
  };

  const work = async (waiting: WaitingDecision, send: Send): Promise<void> => {
    const left = [...waiting.parts];
    const untilMs = clock.now() + SEND_MS * Math.ceil(left.length / LANES);
    const isTooLate = () => clock.now() > untilMs;
    const lane = async (): Promise<void> => {
      const part = left.shift();
      if (!part) return;
      const outcome = isTooLate() ? NOT_SENT : await send(part.approvalId, isTooLate);
      const now = find(waiting.id);
      if (now) replace(awaitAnswer(now, part.approvalId, outcome));
      await lane();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    clock.after(TOLD_MS, () => tidy(waiting.id));
  };

  const start = (id: string) => {
    const waiting = find(id);
    const send = sends.get(id);
    if (waiting?.phase !== "counting" || !send) return;
    if (isLate(waiting, clock.now())) return replace(lapsed(waiting));
    replace(sent(waiting));
    void work(waiting, send);
  };

  return {
    all: () => all,
    subscribe: (listener: () => void) => {
      listeners.add(listener);

      return () => {
        listeners.delete(listener);
      };
    },
    begin: (begin: Begin, send: Send) => {
      const before = find(begin.id);
      if (before && (before.phase === "counting" || before.phase === "sending")) return;
      const waiting = beginRun(begin, clock.now());
      sends.set(begin.id, send);
      set([...all.filter(({ id }) => id !== begin.id), waiting]);
      const wake = () => {
        const now = find(begin.id);
        if (now?.startedAtMs !== waiting.startedAtMs) return;
        if (isDue(now, clock.now()) || isLate(now, clock.now())) start(begin.id);
        // Timers may fire early.
        else if (now.phase === "counting") clock.after(computeLeftMs(now, clock.now()), wake);
      };
      clock.after(computeLeftMs(waiting, clock.now()), wake);
    },
    undo: (id: string) => {
      const waiting = find(id);
      if (!waiting) return;
      replace(recordUndone(waiting));
      clock.after(TOLD_MS, () => tidy(id));
    },
    hurry: (id: string) => {
      const waiting = find(id);
      if (waiting && canHurry(waiting, clock.now())) start(id);
    },
    forget: (id: string) => {
      const phase = find(id)?.phase;
      if (phase === "settled" || phase === "undone") forget(id);
    },
    /** Marks it as shown. @returns the undo */
    show: (id: string) => {
      shown.set(id, (shown.get(id) ?? 0) + 1);
      set([...all]);

      return () => {
        const left = (shown.get(id) ?? 1) - 1;
        if (left > 0) shown.set(id, left);
        else shown.delete(id);
        // The page has shown the outcome.
        const phase = find(id)?.phase;
        if (left <= 0 && (phase === "settled" || phase === "undone")) forget(id);
        else set([...all]);
      };
    },
    isShown: (id: string) => shown.has(id),
  };
};

export const decisions = createDecisions({
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);

    return () => clearTimeout(timer);
  },
});
