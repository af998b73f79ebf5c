import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const FOLDERS = ["lib/engine/holes", "server/runner/holes", "server/outside"];

type Row = { readonly file: string; readonly title: string };

/** Rows of docs/holes.md that name a test. */
const rows: readonly Row[] = readFileSync(path.join(root, "docs/holes.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const found = /^\|.*\|\s*`(?<file>[^`|]+\.test\.ts)`\s*\|(?<title>[^|]+)\|$/u.exec(line)?.groups;

    return found ? [{ file: found["file"] ?? "", title: (found["title"] ?? "").trim() }] : [];
  });

/** Returns whether a test, parametrised or not, has this title. */
const hasTest = (source: string, title: string): boolean =>
  [...source.matchAll(/(?:\b(?:test|it)|\))\(\s*"((?:[^"\\]|\\.)*)"/gu)].some(([, found]) => found === title);

const titlesIn = (source: string): string[] =>
  [...source.matchAll(/"((?:cycgraph|LangGraph|Theodosia|Carpenter)[:,][^"]*)"/gu)].map(([, title = ""]) => title);

test("every test named in the list of holes exists under its title", () => {
  const missing = rows.filter(({ file, title }) => {
    const place = path.join(root, file);

    return !existsSync(place) || !hasTest(readFileSync(place, "utf8"), title);
  });

  expect(rows.length).toBeGreaterThan(60);
  expect(missing).toEqual([]);
});

test("every test of a hole is in the list", () => {
  const written = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith(".test.ts") && name !== "list.test.ts")
      .flatMap((name) =>
        titlesIn(readFileSync(path.join(root, folder, name), "utf8")).map((title) => ({ file: `${folder}/${name}`, title })),
      ),
  );
  const listed = new Set(rows.map(({ file, title }) => `${file} ${title}`));

  expect(written.length).toBeGreaterThan(20);
  expect(written.filter(({ file, title }) => !listed.has(`${file} ${title}`))).toEqual([]);
});
