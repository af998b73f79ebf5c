/** Equal seeds give equal plans. */
import type { Random } from "@/bench/adversary/random";

export const FAULTS = {
  kill: { says: "a runner is killed (SIGKILL)", everyS: 12 },
  drain: { says: "a runner is told to stop (SIGTERM) and started again", everyS: 25 },
  pause: { says: "a runner is stopped (SIGSTOP) for longer than its lease, and goes on", everyS: 30 },
  restart: { says: "Postgres is stopped and started", everyS: 60 },
  crash: { says: "Postgres crashes and recovers", everyS: 45 },
  cut: { says: "connections are cut (pg_terminate_backend), of runners and of the web", everyS: 7 },
  clock: { says: "a runner's clock jumps by minutes, and back", everyS: 30 },
  disk: { says: "the database's disk is full", everyS: 90 },
  tools: { says: "tools are slow, fail, hang up and talk nonsense", everyS: 30 },
  worker: { says: "a runner's workers are killed (SIGKILL) or hang (SIGSTOP)", everyS: 15 },
  tool_host: { says: "a runner's tool hosts are killed (SIGKILL) or hang (SIGSTOP)", everyS: 20 },
  models: { says: "models are slow, overloaded, hang up and talk nonsense", everyS: 30 },
} as const;
export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS).filter((kind): kind is FaultKind => kind in FAULTS);

/** `place`: the runner's; the first is spared for memory samples. */
export type Fault = {
  readonly kind: FaultKind;
  readonly atMs: number;
  readonly place: number;
  readonly forMs: number;
  /** Negative: helpers hang instead of dying. */
  readonly byMs: number;
};

/** Above the lease of ten seconds. */
const PAUSE_MS = 14_000;
const MINUTE_MS = 60_000;

const lengthOf = (kind: FaultKind, seconds: number): number => {
  switch (kind) {
    case "pause":
      return PAUSE_MS;
    case "clock":
      return Math.min(15_000, seconds * 300);
    case "disk":
      return Math.min(10_000, seconds * 200);
    case "tools":
    case "models":
      return Math.min(15_000, seconds * 500);
    case "restart":
    case "crash":
      return 500;
    case "kill":
    case "drain":
    case "cut":
    case "worker":
    case "tool_host":
      return 0;
    default:
      return kind satisfies never;
  }
};

type Wanted = { readonly seconds: number; readonly runners: number; readonly only: FaultKind | null };

/** One per equal slot and kind, away from start and end. */
export const planFaults = (random: Random, { seconds, runners, only }: Wanted): Fault[] =>
  FAULT_KINDS.filter((kind) => only === null || kind === only)
    .flatMap((kind): Fault[] => {
      const count = Math.max(1, Math.floor(seconds / FAULTS[kind].everyS));
      const [fromMs, pieceMs] = [seconds * 100, (seconds * 800) / count];

      return Array.from({ length: count }, (_, index) => ({
        kind,
        atMs: Math.round(fromMs + pieceMs * (index + random.next())),
        place: 1 + random.int(Math.max(1, runners - 1)),
        forMs: lengthOf(kind, seconds),
        byMs: (random.chance(0.5) ? 1 : -1) * (MINUTE_MS + random.int(2 * MINUTE_MS)),
      }));
    })
    .toSorted((a, b) => a.atMs - b.atMs);

export const planText = (faults: readonly Fault[]): string =>
  faults
    .map(({ kind, atMs, place, byMs }) => {
      const where = ["kill", "drain", "pause", "clock", "worker", "tool_host"].includes(kind) ? ` runner ${place}` : "";

      return `${(atMs / 1_000).toFixed(1)}s ${kind}${where}${kind === "clock" ? ` by ${Math.round(byMs / 1_000)}s` : ""}`;
    })
    .join(", ");
