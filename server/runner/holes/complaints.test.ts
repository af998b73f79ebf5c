import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { hasTest } from "@/server/runner/holes/has-test";

const root = path.resolve(import.meta.dirname, "../../..");

const rows = readFileSync(path.join(root, "docs/complaints.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const found = /^\|(?<complaint>[^|]+)\|\s*`(?<file>[^`|]+)`\s*\|(?<title>[^|]+)\|$/u.exec(line)?.groups;

    return found ? [{ complaint: (found["complaint"] ?? "").trim(), file: found["file"] ?? "", title: (found["title"] ?? "").trim() }] : [];
  });

test("docs/complaints.md names, for each complaint, a test that exists under its title", () => {
  const missing = rows.filter(({ file, title }) => {
    const place = path.join(root, file);

    return !existsSync(place) || !hasTest(readFileSync(place, "utf8"), title);
  });

  expect(rows.length).toBeGreaterThanOrEqual(21);
  expect(new Set(rows.map(({ complaint }) => complaint)).size).toBe(rows.length);
  expect(missing).toEqual([]);
});
