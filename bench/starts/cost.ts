/** Processor time of whole process trees, which a busy machine changes less than time. */
import { cpuSeconds, listDescendants, processesWith } from "@/bench/processes";

export type Cost = {
  readonly web: number | null;
  readonly controlPlane: number | null;
  readonly postgres: number | null;
  readonly postgresOfWeb: number | null;
};

const PROGRAMS = { web: "next", controlPlane: "runner.mjs", postgres: "postgres", postgresOfWeb: "postgres: countersign_web" } as const;

const mapCost = (read: (group: keyof Cost) => number | null): Cost => ({
  web: read("web"),
  controlPlane: read("controlPlane"),
  postgres: read("postgres"),
  postgresOfWeb: read("postgresOfWeb"),
});

/** Returns seconds so far. @param supervisor process id */
export const readCost = (supervisor: number): Cost => {
  const ours = new Set(listDescendants([supervisor]));

  return mapCost((group) => {
    const roots = processesWith(PROGRAMS[group]).filter((pid) => ours.has(pid) && pid !== supervisor);
    const seconds = listDescendants(roots).flatMap((pid) => cpuSeconds(pid, "with ended children") ?? []);

    return seconds.length === 0 ? null : seconds.reduce((sum, one) => sum + one, 0);
  });
};

/** Returns milliseconds of processor for each of `count`. */
export const costOfEach = (before: Cost, after: Cost, count: number): Cost =>
  mapCost((group) => {
    const [from, to] = [before[group], after[group]];

    return from === null || to === null ? null : ((to - from) * 1_000) / count;
  });
