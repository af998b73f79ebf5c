import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { hasTest } from "@/server/runner/holes/has-test";

const root = path.resolve(import.meta.dirname, "../../..");
const FOLDERS = ["lib/engine/holes", "server/runner/holes", "server/outside"];

const holes = z
  .array(z.object({ system: z.string(), hole: z.string(), tests: z.record(z.string(), z.array(z.string())) }))
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, "holes.json"), "utf8")));

type NamedTest = { readonly file: string; readonly title: string };

const named: readonly NamedTest[] = holes.flatMap(({ tests }) =>
  Object.entries(tests).flatMap(([file, titles]) => titles.map((title) => ({ file, title }))),
);

type Row = { readonly system: string; readonly hole: string; readonly file: string };

const rows: readonly Row[] = readFileSync(path.join(root, "docs/holes.md"), "utf8")
  .split(/^## /mu)
  .flatMap((section) => {
    const [system = "", ...lines] = section.split("\n");

    return lines.flatMap((line) => {
      const found = /^\|(?<hole>[^|]+)\|[^|]+\|\s*`(?<file>[^`|]+\.test\.ts)`\s*\|$/u.exec(line)?.groups;

      return found ? [{ system, hole: (found["hole"] ?? "").trim(), file: found["file"] ?? "" }] : [];
    });
  });

const titlesIn = (source: string): string[] =>
  [...source.matchAll(/"((?:cycgraph|LangGraph|Theodosia|Carpenter)[:,][^"]*)"/gu)].map(([, title = ""]) => title);

test("every named test exists under its title", () => {
  const missing = named.filter(({ file, title }) => {
    const place = path.join(root, file);

    return !existsSync(place) || !hasTest(readFileSync(place, "utf8"), title);
  });

  expect(named.length).toBeGreaterThan(60);
  expect(missing).toEqual([]);
});

test("every test of a hole is named", () => {
  const written = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith(".test.ts") && name !== "list.test.ts")
      .flatMap((name) =>
        titlesIn(readFileSync(path.join(root, folder, name), "utf8")).map((title) => ({ file: `${folder}/${name}`, title })),
      ),
  );
  const listed = new Set(named.map(({ file, title }) => `${file} ${title}`));

  expect(written.length).toBeGreaterThan(20);
  expect(written.filter(({ file, title }) => !listed.has(`${file} ${title}`))).toEqual([]);
});

test("docs/holes.md has one row for each hole, with one of its tests", () => {
  expect(rows.map(({ system, hole }) => `${system}: ${hole}`)).toEqual(holes.map(({ system, hole }) => `${system}: ${hole}`));
  expect(rows.filter(({ file }, index) => holes[index]?.tests[file] === undefined)).toEqual([]);
});
