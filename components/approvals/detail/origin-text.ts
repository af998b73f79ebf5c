import type { Integrity } from "@/lib/graph/label";
import { toVisibleText } from "@/components/values/visible-text";

export type People = Readonly<Record<string, string>>;

const INTEGRITY_TEXT = { trusted: "trusted", reviewed: "reviewed", untrusted: "untrusted" } as const satisfies Record<Integrity, string>;

const short = (id: string): string => (/^[0-9a-f]{8}-[0-9a-f-]{27}$/u.test(id) ? id.slice(0, 8) : toVisibleText(id));

const person = (id: string, people: People): string =>
  Object.hasOwn(people, id) ? toVisibleText(people[id] ?? "") : `a person (${short(id)})`;

type Words = (rest: string, people: People) => string;

const WORDS: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["mcp", (tool) => toVisibleText(tool)],
  ["user", person],
  ["approver", (id, people) => `approved by ${person(id, people)}`],
  ["agent", (id) => `agent ${toVisibleText(id)}`],
  ["model", (id) => `model ${toVisibleText(id)}`],
  ["node", (id) => `node ${toVisibleText(id)}`],
  ["judge", (id) => `judge ${toVisibleText(id)}`],
  ["wait", (place) => `an answer to wait ${toVisibleText(place.split("/")[0] ?? "")}`],
  ["external", (token) => `an outside agent (${short(token)})`],
  ["run", (id) => `an earlier run (${short(id)})`],
  ["case", (id) => `case ${short(id)}`],
]);

/** `mcp:customers/lookup` becomes `customers/lookup`; unknown sources stay. */
export const describeSource = (source: string, people: People): string => {
  const colon = source.indexOf(":");
  const words = colon < 0 ? undefined : WORDS.get(source.slice(0, colon));

  return words ? words(source.slice(colon + 1), people) : toVisibleText(source);
};

const OUTSIDE = ["mcp:", "external:", "wait:", "node:", "case:"];

export type SourceGroups = { readonly outside: readonly string[]; readonly others: readonly string[] };

export const groupSources = (sources: readonly string[]): SourceGroups => {
  const isOutside = (source: string) => OUTSIDE.some((prefix) => source.startsWith(prefix));

  return { outside: sources.filter(isOutside), others: sources.filter((source) => !isOutside(source)) };
};

export const describeIntegrity = (integrity: Integrity): string => INTEGRITY_TEXT[integrity];
