/** The guide's keys get into neither git nor image layers. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder, readGuide } from "@/bin/testing";
import { ROOT } from "./settings.ts";

const read = (name: string): string => fs.readFileSync(path.join(ROOT, name), "utf8");

/** Capitals are the reader's names; a leading slash or variable means elsewhere. */
const WRITTEN = /(?:--out|--file|--web|--runner|-cf|\s>|mkdir(?: -m 700| -p)?) "?(?<file>[\w.][\w./-]*)/gu;
const written = [...new Set([...readGuide().matchAll(WRITTEN)].flatMap(({ groups }) => groups?.["file"] ?? []))].filter(
  (file) => !/^[A-Z]+$/u.test(file),
);

test("the guide writes only these files into the source folder", () => {
  expect(written.toSorted()).toEqual([".countersign", "secrets", "secrets/database-password", "to-runner", "to-web"]);
});

test("git ignores those files, backups and exports", () =>
  inTemporaryFolder((folder) => {
    fs.copyFileSync(path.join(ROOT, ".gitignore"), path.join(folder, ".gitignore"));
    execFileSync("git", ["init", "-q"], { cwd: folder });
    const files = [
      ...written.map((file) => (path.extname(file) === "" ? `${file}/x` : file)),
      "keys.tar",
      "countersign.dump",
      "countersign.jsonl",
      ".env.local",
    ];
    const ignored = execFileSync("git", ["-c", "core.excludesFile=/dev/null", "check-ignore", "--stdin"], {
      cwd: folder,
      input: files.join("\n"),
      encoding: "utf8",
    });

    expect(ignored.trim().split("\n")).toEqual(files);
  }));

test("an image contains exactly the product and the docs, and nothing that the guide writes", () => {
  const [first, ...rules] = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const named = rules.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1));
  const modules = fs.readdirSync(ROOT).filter((name) => /\.(?:ts|mjs)$/u.test(name) && !/^(?:vitest\.config|next-env\.d)\./u.test(name));

  expect(first).toBe("*");
  // Whole root entries only: a path counts by its first part.
  expect(named.filter((name) => !/^[\w-][\w.-]*$/u.test(name))).toEqual([]);
  const folders = ["app", "bin", "components", "lib", "prisma", "public", "server"];
  const product = [...folders, "package-lock.json", "package.json", "tsconfig.json"];
  expect(named.toSorted()).toEqual([...product, "docs", ...modules].toSorted());
  expect(written.filter((file) => named.includes(file.split("/")[0] ?? ""))).toEqual([]);
});
