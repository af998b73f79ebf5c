import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { NODE_KINDS } from "@/lib/graph/kinds";

const KINDS = Object.keys(NODE_KINDS);
const WORDS = ["no", "one", "two", "three", "four", "five", "six"];

const page = readFileSync("docs/architecture.md", "utf8");
const section = page.slice(page.indexOf("## Changing things"), page.indexOf("## Reasons for other choices"));
const rows = section
  .split("\n")
  .flatMap((line) =>
    line.startsWith("| ") && !line.startsWith("| to ") ? [line.split(" | ").map((cell) => cell.replace(/^\| | \|$/gu, "").trim())] : [],
  );

const rowOf = (to: string): string => rows.find(([first]) => first === to)?.[1] ?? "";

const filesIn = (text: string): string[] => [...text.matchAll(/`([^`]*\/[^`]*\.(?:tsx?|prisma))`/gu)].map(([, file = ""]) => file);

/** `three files: …;` and the files up to the semicolon. */
const countsIn = (text: string) =>
  [...text.matchAll(/\b(one|two|three|four|five|six) (?:new )?(?:files|entries)(?::| in) ([^;.]*(?:\.[a-z]+`[^;.]*)*)/gu)].map(
    ([, word = "", list = ""]) => ({
      stated: WORDS.indexOf(word),
      listed: filesIn(list),
    }),
  );

it.each(["add a node kind", "add a rule", "add a procedure", "add a permission"])("states as many files as it lists to %s", (to) => {
  const counts = countsIn(rowOf(to));
  expect(counts.length).toBeGreaterThan(0);
  for (const { stated, listed } of counts) expect(listed).toHaveLength(stated);
});

it("names files that exist", () => {
  const named = rows.flatMap(([, change = ""]) => filesIn(change)).filter((file) => !file.includes("<"));
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});

it("names the new files of every kind", () => {
  const [first] = countsIn(rowOf("add a node kind"));
  const missing = KINDS.flatMap((kind) =>
    (first?.listed ?? [])
      .map((file) => file.replace("<kind>", kind))
      // A kind whose form is generated has no markup.
      .filter((file) => !existsSync(file) && !existsSync(`${file}x`)),
  );
  expect(missing).toEqual([]);
});

it("names every file that lists all kinds", () => {
  const [, entries] = countsIn(rowOf("add a node kind"));
  const sources = globSync("{lib,server,components,app,bin}/**/*.{ts,tsx}").filter(
    (file) => !/\.test\.tsx?$|\/testing\/|\/seed\/|^server\/db\/generated\//u.test(file),
  );
  const lists = (text: string) => KINDS.filter((kind) => new RegExp(String.raw`"${kind}"|\b${kind}:`, "u").test(text)).length;
  const all = sources.filter((file) => lists(readFileSync(file, "utf8")) === KINDS.length);
  // Executors are in one of two registries, by whether they have gateways.
  const registries = ["server/executors/quiet.ts", "server/executors/registry.ts"];
  expect(lists(registries.map((file) => readFileSync(file, "utf8")).join("\n"))).toBe(KINDS.length);
  expect([...all, ...registries].toSorted()).toEqual([...(entries?.listed ?? []), "server/executors/registry.ts"].toSorted());
});
