import type { Outcome } from "@/bench/chaos/run";
import { FAULT_KINDS, FAULTS } from "@/bench/chaos/faults/plan";

const MOST_SHOWN = 20;

const seconds = (ms: number | null): string => (ms === null ? "none" : `${(ms / 1_000).toFixed(1)} s`);

const faultLines = ({ planned, faults, skipped }: Outcome): string[] =>
  FAULT_KINDS.flatMap((kind) => {
    const why = skipped[kind];
    const wanted = planned.find((fault) => fault.kind === kind)?.times ?? 0;
    const { times, hits } = faults.find((fault) => fault.kind === kind) ?? { times: 0, hits: 0 };
    if (why !== undefined) return [`  ${kind.padEnd(9)} skipped: ${why}`];
    if (wanted === 0) return [];

    return [`  ${kind.padEnd(9)} ${String(times).padStart(4)} of ${wanted} times, hit ${String(hits).padStart(6)}   ${FAULTS[kind].says}`];
  });

const checkLines = ({ checks }: Outcome): string[] =>
  checks.flatMap(({ name, count, says, failures }) => [
    `  ${failures.length === 0 ? "ok  " : "FAIL"} ${name.padEnd(12)} ${String(count).padStart(7)}   ${says}`,
    ...failures.slice(0, MOST_SHOWN).map((failure) => `         ${failure}`),
    ...(failures.length > MOST_SHOWN ? [`         and ${failures.length - MOST_SHOWN} more`] : []),
  ]);

const takeoverLines = ({ takeovers }: Outcome): string[] =>
  takeovers
    .filter(({ orphans }) => orphans > 0)
    .map(
      ({ fault, orphans, firstMs, lastMs }) =>
        `  ${fault.padEnd(6)} ${String(orphans).padStart(3)} runs, first ${seconds(firstMs)}, last ${seconds(lastMs)}`,
    );

export const reportOf = (outcome: Outcome): string =>
  [
    `Runs: ${Object.entries(outcome.statuses)
      .map(([status, n]) => `${n} ${status}`)
      .join(", ")}; ${outcome.records} records; settled ${seconds(outcome.settledMs)} after the last fault`,
    "",
    "Faults",
    ...faultLines(outcome),
    "",
    "Taken over",
    ...takeoverLines(outcome),
    "",
    "Checks",
    ...checkLines(outcome),
    "",
    outcome.ok ? "Everything holds." : "Not everything holds.",
  ].join("\n");
