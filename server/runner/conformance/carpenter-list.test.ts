import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const FOLDERS = ["lib/engine/conformance", "server/runner/conformance"];
const CHECKS = Array.from({ length: 44 }, (_, index) => index + 1);

const tested: readonly number[] = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => /^carpenter-.*\.test\.ts$/u.test(name))
    .flatMap((name) => [...readFileSync(path.join(root, folder, name), "utf8").matchAll(/(?:\b(?:test|it)|\))\(\s*"(\d+)\. /gu)])
    .map(([, number]) => Number(number)),
);

const page = readFileSync(path.join(root, "docs/decisions/conformance.md"), "utf8");
const section = page.split(/^## /mu).find((part) => part.startsWith("Carpenter\n")) ?? "";

const argued = [...section.matchAll(/^- Check (\d+) (.+)$/gmu)].map(([, number, reason = ""]) => ({ number: Number(number), reason }));

test("each of the 44 checks has a test under its number or a reason", () => {
  expect(tested.length).toBeGreaterThan(40);
  const reasons = argued.map(({ number }) => number);
  expect([...new Set(tested), ...reasons].toSorted((one, other) => one - other)).toEqual(CHECKS);
  expect(argued.filter(({ reason }) => reason.length < 80)).toEqual([]);
});
