import type { Campaign, Climbed } from "./campaign";
import { PROPERTIES, SERVER_PROPERTIES } from "./properties";
import type { RungReport } from "./rungs/play";

/** Rule of three: without success in N, below 3/N with 95 % confidence. */
const bound = (successes: number, n: number): string => (n === 0 || successes > 0 ? "-" : `< ${(3 / n).toExponential(1)}`);

export const isClean = (campaign: Campaign): boolean =>
  campaign.rungs.every(({ successes }) => successes.length === 0) &&
  campaign.siege.violations.length === 0 &&
  campaign.benign.every(({ violations }) => violations.length === 0) &&
  campaign.ablation.every(({ episodes }) => episodes !== null);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Some are checked in one of fifty episodes. */
const countOf = ({ rung, n, rarely }: Climbed, property: string): number => {
  if (property === "S1") return rung === "A5" ? 0 : n;

  return property === "I3" ? rarely : n;
};

const rowsOf = (climbed: Climbed): string[][] =>
  Object.entries(PROPERTIES).flatMap(([name, says]) => {
    const n = countOf(climbed, name);
    const successes = climbed.successes.filter(({ property }) => property === name).length;

    return n === 0 ? [] : [[climbed.rung, `${name}: ${says}`, String(n), String(successes), bound(successes, n)]];
  });

const siegeRows = ({ n, violations }: Campaign["siege"]): string[][] =>
  Object.entries(SERVER_PROPERTIES).map(([name, says]) => {
    const successes = violations.filter(({ property }) => property === name).length;

    return ["A2", `${name}: ${says}`, String(n), String(successes), bound(successes, n)];
  });

const us = (value: number): string => `${Math.round(value)} µs`;

const lineOf = ({ rung, n, records, refusals, seconds, latency }: Climbed): string[] => [
  rung,
  String(n),
  String(records),
  String(refusals),
  String(Math.round(n / seconds)),
  us(latency.p50Us),
  us(latency.p95Us),
];

export const reportOf = (campaign: Campaign): string => {
  const { seed, jobs, rungs, siege, benign, ablation, seconds } = campaign;
  const guards = ablation.map(({ guard, episodes, property }) => [
    guard,
    episodes === null ? "NOT NOTICED" : (property ?? ""),
    String(episodes ?? "-"),
  ]);
  const late = benign.flatMap(({ violations }) => violations);

  return [
    `From seed ${seed}, ${jobs} at a time; ${Math.round(seconds)} s in all.`,
    table(["rung", "episodes", "records", "refusals", "episodes/s", "decide p50", "decide p95"], rungs.map(lineOf)),
    table(
      ["rung", "property", "N", "successes", "95 % bound"],
      [
        ...rungs.flatMap(rowsOf),
        ...siegeRows(siege),
        ["-", "L1: benign workflows complete with the expected approvals", String(benign.length), String(late.length), "-"],
      ],
    ),
    table(
      ["benign workflow", "decisions by people"],
      benign.map(({ scenario, approvals }) => [scenario, String(approvals)]),
    ),
    table(["guard switched off", "noticed by", "after episodes"], guards),
    ...rungs.flatMap(({ rung, successes }) =>
      successes.map(
        ({ property, seed: at, scenario, what, trace }) =>
          `SUCCESS ${property} on ${rung}, seed ${at}, ${scenario}: ${what}\n  ${trace.join("\n  ")}`,
      ),
    ),
    ...siege.violations.map(({ property, what }) => `SUCCESS ${property} on A2: ${what}`),
    ...late.map(({ property, what }) => `BENIGN ${property}: ${what}`),
  ].join("\n\n");
};

export const tableOf = ({ rung, attacks, successes, noticed, rows }: RungReport): string =>
  [
    table(
      ["attack", "program", "outcome", "noticed as"],
      rows.map(({ name, why, succeeded, noticedAs, broken }) => [
        name,
        why,
        broken === null ? (succeeded ? "succeeded" : "failed") : `broken: ${broken.split("\n", 1)[0]}`,
        noticedAs ?? "-",
      ]),
    ),
    `${rung}: ${attacks} attacks, ${successes} successes, ${noticed} noticed by name.`,
  ].join("\n\n");
