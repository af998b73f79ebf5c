/** Admits tool calls: a bounded queue, and a cool-down after consecutive faults. Per process. */
import type { CallLimits } from "@/lib/mcp/call-limits";
import type { Clock } from "@/server/clock";

const MAX_WAITING = 256;

export type Entry = {
  /** It waited, so earlier reads may be stale. */
  readonly waited: boolean;
  /** Call once. `null`: nothing was called. */
  readonly leave: (isFault: boolean | null) => void;
};

export type Admission = {
  /** @throws the signal's reason */
  readonly enter: (key: string, limits: CallLimits, signal: AbortSignal) => Promise<Entry | "busy" | "cooling">;
};

type Line = { inside: number; faults: number; restUntil: number; trying: boolean; readonly waiting: Set<() => void> };

const newLine = (): Line => ({ inside: 0, faults: 0, restUntil: 0, trying: false, waiting: new Set() });

const wait = (line: Line, withinMs: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const finish = (): void => {
      line.waiting.delete(letIn);
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    const letIn = (): void => {
      finish();
      resolve(true);
    };
    const onAbort = (): void => {
      finish();
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what the caller of the call aborted it with
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      finish();
      resolve(false);
    }, withinMs);
    signal.addEventListener("abort", onAbort, { once: true });
    line.waiting.add(letIn);
  });

export const createAdmission = (clock: Clock): Admission => {
  const lines = new Map<string, Line>();
  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? newLine();
    lines.set(key, line);

    return line;
  };

  const isCooling = (line: Line, { breaker }: CallLimits): boolean =>
    line.faults >= breaker.faults && (line.trying || clock.now() < line.restUntil);

  /** Later callers can't overtake. */
  const giveUp = (line: Line): void => {
    const next = line.waiting.values().next();
    if (next.done) line.inside -= 1;
    else next.value();
  };

  const inside = (line: Line, limits: CallLimits, waited: boolean): Entry => {
    const isTrial = line.faults >= limits.breaker.faults;
    line.trying ||= isTrial;

    return {
      waited,
      leave: (isFault) => {
        if (isTrial) line.trying = false;
        if (isFault === true) {
          line.faults += 1;
          line.restUntil = clock.now() + limits.breaker.cool_down_ms;
        }
        if (isFault === false) line.faults = 0;
        giveUp(line);
      },
    };
  };

  return {
    enter: async (key, limits, signal) => {
      signal.throwIfAborted();
      const line = lineOf(key);
      if (isCooling(line, limits)) return "cooling";
      if (line.inside < limits.concurrency) {
        line.inside += 1;

        return inside(line, limits, false);
      }
      if (line.waiting.size >= MAX_WAITING || !(await wait(line, limits.total_ms, signal))) return "busy";
      if (!isCooling(line, limits)) return inside(line, limits, true);
      giveUp(line);

      return "cooling";
    },
  };
};
