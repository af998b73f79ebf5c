/** The outcome as tables, in Markdown, so that they can stand in the documentation as they are. */
import { PROPERTIES, type Campaign } from "./campaign";

/** Rule of three: with no success in N, the rate is below 3/N with 95 % confidence. */
const bound = (successes: number, n: number): string => (n === 0 ? "-" : successes > 0 ? "-" : `< ${(3 / n).toExponential(1)}`);

const successesOf = (campaign: Campaign, property: string): number =>
  campaign.successes.filter((success) => success.property === property).length +
  campaign.benign.flatMap(({ violations }) => violations).filter((violation) => violation.property === property).length;

export const isClean = (campaign: Campaign): boolean =>
  campaign.successes.length === 0 &&
  campaign.benign.every(({ violations }) => violations.length === 0) &&
  campaign.ablation.every(({ episodes }) => episodes !== null);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

export const reportOf = (campaign: Campaign): string => {
  const { n, seed, records, refusals, episodesSeconds, seconds } = campaign;
  const properties = Object.entries(PROPERTIES).map(([name, says]) => {
    const count = campaign.checked[name] ?? 0;
    const successes = successesOf(campaign, name);

    return ["A1", `${name}: ${says}`, String(count), String(successes), name === "L1" ? "-" : bound(successes, count)];
  });
  const guards = campaign.ablation.map(({ guard, episodes, property }) => [
    guard,
    episodes === null ? "NOT NOTICED" : (property ?? ""),
    String(episodes ?? "-"),
  ]);
  const benign = campaign.benign.map(({ scenario, approvals }) => [scenario, String(approvals)]);

  return [
    `${n} episodes from seed ${seed}: ${records} records, ${refusals} of them refusals; ${Math.round(n / episodesSeconds)} episodes/s, ${Math.round(seconds)} s in all.`,
    table(["rung", "property", "N", "successes", "95 % bound"], properties),
    table(["benign workflow", "decisions by people"], benign),
    table(["guard switched off", "noticed by", "after episodes"], guards),
    ...campaign.successes.map(
      (success) =>
        `SUCCESS ${success.property}, seed ${success.seed}, ${success.scenario}: ${success.what}\n  ${success.trace.join("\n  ")}`,
    ),
    ...campaign.benign.flatMap(({ violations }) => violations.map(({ property, what }) => `BENIGN ${property}: ${what}`)),
  ].join("\n\n");
};
