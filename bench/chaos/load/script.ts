/** Equal seeds give equal scripts. */
import type { Random } from "@/bench/adversary/random";
import { GRAPH_NAMES, SHARES, type GraphName } from "@/bench/chaos/load/graphs";

export type RunScript = {
  readonly id: string;
  readonly graph: GraphName;
  readonly startAtMs: number;
  readonly cancelAtMs: number | null;
  readonly fork: { readonly id: string; readonly atMs: number; readonly effects: "simulate" | "live"; readonly seq: number } | null;
  readonly gates: "approve" | "reject" | "leave";
};

const hex = (random: Random, digits: number): string => Array.from({ length: digits }, () => random.int(16).toString(16)).join("");

const uuid = (random: Random): string => `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`;

const TICKETS = GRAPH_NAMES.flatMap((name) => Array.from({ length: SHARES[name] }, () => name));

const gatesOf = (graph: GraphName, random: Random): RunScript["gates"] => {
  const drawn = random.next();
  if (graph === "waiting" || graph === "timer") return "leave";
  if (drawn < 0.5) return "approve";

  return drawn < 0.85 ? "reject" : "leave";
};

/** All start in the first half, to overlap. */
export const scriptRuns = (random: Random, runs: number, seconds: number): RunScript[] =>
  Array.from({ length: runs }, () => {
    const graph = random.some(TICKETS) ?? "chain";
    const startAtMs = Math.round(random.next() * seconds * 500);
    const later = () => Math.round(startAtMs + random.next() * seconds * 200);

    return {
      id: uuid(random),
      graph,
      startAtMs,
      gates: gatesOf(graph, random),
      cancelAtMs: random.chance(0.08) ? later() : null,
      fork: random.chance(0.04)
        ? {
            id: uuid(random),
            atMs: later(),
            effects: random.chance(0.5) ? ("simulate" as const) : ("live" as const),
            seq: 2 + random.int(4),
          }
        : null,
    };
  }).toSorted((a, b) => a.startAtMs - b.startAtMs);
