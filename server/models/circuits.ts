/** Circuit breakers per provider and workspace, in this process. */
import type { OutageCause } from "@/lib/engine/outage-causes";
import type { Clock } from "@/server/clock";
import { ModelError } from "./contract";

export type OpenCircuit = { readonly cause: OutageCause; readonly failures: number; readonly until: number };

export type CircuitPlace = {
  readonly workspaceId: string;
  readonly provider: string;
  readonly environment: string | null;
};

/** Receives each change; null: closed. Never waits or fails. */
export type NoteCircuit = (place: CircuitPlace, circuit: OpenCircuit | null) => void;

/** In a row. */
const FAILURES_TO_OPEN = 5;
const FIRST_OPEN_MS = 10_000;
const LONGEST_OPEN_MS = 60_000;
/** For others while one call probes. */
const PROBE_MS = 5_000;
const MOST_KEPT = 10_000;

type Circuit = { failures: number; open: OpenCircuit | null; opened: number; isProbing: boolean; isNoted: boolean };

const refusal = (cause: OutageCause, retryAfterMs: number): ModelError =>
  new ModelError(
    cause === "rate_limited" ? "model_rate_limited" : "model_failed",
    true,
    "The model's provider is down, so it is not asked for a while.",
    {
      retryAfterMs,
      billed: "no",
      outage: cause,
    },
  );

const toPrefix = ({ workspaceId, provider }: Omit<CircuitPlace, "environment">): string => `${workspaceId} ${provider} `;

export type Circuits = {
  /** Makes a call, or refuses it while the circuit is open. Half-open: one call probes. @throws ModelError, or the call's error */
  readonly guard: <T>(place: CircuitPlace, call: () => Promise<T>) => Promise<T>;
  /** Lets the next call under each key through, for a person who tries now. */
  readonly probe: (workspaceId: string, provider: string) => void;
};

export const createCircuits = (clock: Clock, note: NoteCircuit): Circuits => {
  const kept = new Map<string, Circuit>();

  const circuitOf = (key: string): Circuit => {
    const circuit = kept.get(key) ?? { failures: 0, open: null, opened: 0, isProbing: false, isNoted: false };
    kept.delete(key);
    kept.set(key, circuit);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);

    return circuit;
  };

  const fail = (circuit: Circuit, cause: OutageCause, retryAfterMs: number | null): boolean => {
    circuit.failures += 1;
    if (circuit.failures < FAILURES_TO_OPEN && circuit.open === null) return false;
    const openMs = Math.max(retryAfterMs ?? 0, Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * 2 ** circuit.opened));
    circuit.opened += 1;
    circuit.open = { cause, failures: circuit.failures, until: clock.now() + openMs };

    return true;
  };

  return {
    guard: async (place, call) => {
      const circuit = circuitOf(`${toPrefix(place)}${place.environment ?? ""}`);
      const { open } = circuit;
      const leftMs = open === null ? 0 : open.until - clock.now();
      if (open && (leftMs > 0 || circuit.isProbing)) throw refusal(open.cause, leftMs > 0 ? leftMs : PROBE_MS);
      circuit.isProbing = open !== null;
      try {
        const answer = await call();
        // Once per process: an earlier one may have left its state behind.
        if (open !== null || !circuit.isNoted) note(place, null);
        Object.assign(circuit, { failures: 0, open: null, opened: 0, isNoted: true });

        return answer;
      } catch (error) {
        if (error instanceof ModelError && error.outage !== null && fail(circuit, error.outage, error.retryAfterMs))
          note(place, circuit.open);
        throw error;
      } finally {
        if (open !== null) circuit.isProbing = false;
      }
    },
    probe: (workspaceId, provider) => {
      for (const [key, circuit] of kept)
        if (circuit.open && key.startsWith(toPrefix({ workspaceId, provider }))) circuit.open = { ...circuit.open, until: clock.now() };
    },
  };
};
