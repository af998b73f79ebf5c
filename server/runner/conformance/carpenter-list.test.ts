import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const FOLDERS = ["lib/engine/conformance", "server/runner/conformance"];
const CHECKS = 44;

type Row = { readonly number: number; readonly file: string | null; readonly text: string };

const rows: readonly Row[] = readFileSync(path.join(root, "docs/decisions/carpenter-checks.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const found = /^\|\s*(?<number>\d+)\s*\|[^|]*\|\s*(?:`(?<file>[^`]+)`|not as a test)\s*\|(?<text>[^|]+)\|$/u.exec(line)?.groups;

    return found ? [{ number: Number(found["number"]), file: found["file"] ?? null, text: (found["text"] ?? "").trim() }] : [];
  });

const written: readonly string[] = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => /^carpenter-.*\.test\.ts$/u.test(name))
    .flatMap((name) =>
      [...readFileSync(path.join(root, folder, name), "utf8").matchAll(/(?:\b(?:test|it)|\))\(\s*"(\d+\. (?:[^"\\]|\\.)*)"/gu)].map(
        ([, title = ""]) => `${folder}/${name} ${title}`,
      ),
    ),
);

test("each of the 44 checks is a test under its number or argued", () => {
  expect([...new Set(rows.map(({ number }) => number))]).toEqual(Array.from({ length: CHECKS }, (_, index) => index + 1));
  expect(rows.filter(({ file, text }) => file === null && text.length < 80)).toEqual([]);
  const both = rows.filter(({ number, file }) => file === null && rows.some((other) => other.number === number && other.file !== null));
  expect(both).toEqual([]);
});

test("the table names exactly the existing tests, each under its title's number", () => {
  const named = rows.flatMap(({ file, text }) => (file === null ? [] : [`${file} ${text}`]));
  expect(written.length).toBeGreaterThan(40);
  expect(named.toSorted()).toEqual([...written].toSorted());
  expect(rows.filter(({ number, file, text }) => file !== null && !text.startsWith(`${number}. `))).toEqual([]);
});
