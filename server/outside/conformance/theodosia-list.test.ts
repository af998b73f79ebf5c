import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const FOLDERS = ["lib/outside/conformance", "server/outside/conformance"];
const CHECKS = Array.from({ length: 44 }, (_, index) => index + 1);

/** Tests in other folders that cover a check: number, file and title. */
const ELSEWHERE: readonly (readonly [number: number, file: string, title: string])[] = [
  [1, "lib/outside/legal.test.ts", "are the entry at first, and others are unreachable"],
  [2, "lib/engine/outside/outside.test.ts", "offers exactly the open edges, else the default one: %i"],
  [3, "lib/outside/legal.test.ts", "are none after the end"],
  [3, "server/outside/clients.db.test.ts", "by the 2.x client, with the protocol of 2026-07-28 and with the ones before it"],
  [5, "server/outside/sessions.db.test.ts", "that is unknown and one that cannot be reached differ only in their codes"],
  [7, "lib/outside/graph.test.ts", "has type, required, default and enum of the written memory"],
  [
    9,
    "server/outside/sessions.db.test.ts",
    "has the same tools before and after, legal actions every time, and in strict mode refusals as errors",
  ],
  [10, "lib/engine/outside/outside.test.ts", "as text are the same as the object"],
  [11, "lib/engine/outside/outside.test.ts", "with %s are refused without echo or effect"],
  [13, "server/runner/outside/steps.db.test.ts", "never advances state"],
  [17, "lib/engine/outside/outside.test.ts", "that do not fit are named: %j"],
  [19, "server/runner/outside/steps.db.test.ts", "give exactly one commit per sequence number"],
  [24, "server/outside/sessions.db.test.ts", "begins again after a reset, which cancels its run and keeps the history"],
  [27, "lib/outside/history.test.ts", "rests where the entry left the run, with the same actions and earlier entries"],
  [
    27,
    "server/outside/holes.db.test.ts",
    "Theodosia: a fork inherits cells and nothing else, is kept for a time, then collected, and still verifies",
  ],
  [28, "lib/outside/history.test.ts", "rests where the entry left the run, with the same actions and earlier entries"],
  [29, "lib/outside/history.test.ts", "rests where the entry left the run, with the same actions and earlier entries"],
  [30, "lib/outside/history.test.ts", "is refused at a marker or the end"],
  [
    32,
    "server/outside/holes.db.test.ts",
    "Theodosia: an empty tenant key does not skip the check: a run of another token or workspace is not there",
  ],
  [35, "server/runner/tamper.db.test.ts", "finds a changed $column in every record, and names the record"],
  [36, "server/runner/tamper.db.test.ts", "finds a deleted record, a swapped pair, and a missing tail"],
  [41, "server/runner/outside/steps.db.test.ts", "give exactly one commit per sequence number"],
  [43, "server/executors/map.test.ts", "best effort: a final failure yields null, is named, and is not retried"],
  [44, "lib/outside/graph.test.ts", "in the graph, with condition texts"],
  [44, "lib/outside/project.test.ts", "granted memory only, without the names of other keys"],
  [44, "lib/outside/project.test.ts", "that a value is too %s, without content"],
];

const TITLE = /(?:\b(?:test|it)|\))\(\s*"((?:[^"\\]|\\.)*)"/gu;

const titlesIn = (file: string): readonly string[] =>
  [...readFileSync(path.join(root, file), "utf8").matchAll(TITLE)].map(([, title = ""]) => title);

/** Numbers at the start of test titles. */
const tested: readonly number[] = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => /^theodosia-.*\.test\.ts$/u.test(name))
    .flatMap((name) => titlesIn(`${folder}/${name}`))
    .flatMap((title) => /^(\d+)\. /u.exec(title)?.slice(1).map(Number) ?? []),
);

const page = readFileSync(path.join(root, "docs/decisions/conformance.md"), "utf8");
const section = page.split(/^## /mu).find((part) => part.startsWith("Theodosia\n")) ?? "";

/** Checks that do not apply, each with the reason. */
const argued = [...section.matchAll(/^- Check (\d+) (.+)$/gmu)].map(([, number, reason = ""]) => ({ number: Number(number), reason }));

test("each of the 44 checks has a test or a reason", () => {
  expect(tested.length).toBeGreaterThan(25);
  const shown = new Set([...tested, ...ELSEWHERE.map(([number]) => number)]);
  const reasons = argued.map(({ number }) => number);
  expect([...shown, ...reasons].toSorted((one, other) => one - other)).toEqual(CHECKS);
  expect(argued.filter(({ reason }) => reason.length < 80)).toEqual([]);
});

test("each test listed from another folder exists", () => {
  expect(ELSEWHERE.filter(([, file, title]) => !titlesIn(file).includes(title))).toEqual([]);
});
