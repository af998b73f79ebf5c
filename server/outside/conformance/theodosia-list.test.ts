import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const FOLDERS = ["lib/outside/conformance", "server/outside/conformance"];
const CHECKS = 44;

type Row = { readonly number: number; readonly file: string | null; readonly text: string };

const rows: readonly Row[] = readFileSync(path.join(root, "docs/decisions/theodosia-checks.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const found = /^\|\s*(?<number>\d+)\s*\|[^|]*\|\s*(?:`(?<file>[^`]+)`|not as a test)\s*\|(?<text>[^|]+)\|$/u.exec(line)?.groups;

    return found ? [{ number: Number(found["number"]), file: found["file"] ?? null, text: (found["text"] ?? "").trim() }] : [];
  });

const named = rows.flatMap(({ number, file, text }) => (file === null ? [] : [{ number, file, text }]));

const titlesIn = (file: string): readonly string[] => {
  const whole = path.join(root, file);
  if (!existsSync(whole)) return [];

  return [...readFileSync(whole, "utf8").matchAll(/(?:\b(?:test|it)|\))\(\s*"((?:[^"\\]|\\.)*)"/gu)].map(([, title = ""]) => title);
};

const written: readonly string[] = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => /^theodosia-.*\.test\.ts$/u.test(name))
    .flatMap((name) =>
      titlesIn(`${folder}/${name}`)
        .filter((title) => /^\d+\. /u.test(title))
        .map((title) => `${folder}/${name} ${title}`),
    ),
);

test("each of the 44 checks has a test or an argument", () => {
  expect([...new Set(rows.map(({ number }) => number))]).toEqual(Array.from({ length: CHECKS }, (_, index) => index + 1));
  expect(rows.filter(({ file, text }) => file === null && text.length < 80)).toEqual([]);
  const both = rows.filter(({ number, file }) => file === null && named.some((other) => other.number === number));
  expect(both).toEqual([]);
});

test("each test in the table exists under its number", () => {
  expect(named.filter(({ file, text }) => !titlesIn(file).includes(text))).toEqual([]);
  const isOwn = (file: string) => FOLDERS.includes(path.dirname(file));
  expect(named.filter(({ number, file, text }) => isOwn(file) && !text.startsWith(`${number}. `))).toEqual([]);
});

test("each test written for a check is in the table", () => {
  expect(written.length).toBeGreaterThan(25);
  const inTable = named.map(({ file, text }) => `${file} ${text}`);
  expect(written.filter((one) => !inTable.includes(one))).toEqual([]);
});
