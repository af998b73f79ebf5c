import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { ROOT } from "./settings.ts";
import { digestOfSources, fingerprintSources } from "./stale.ts";

test.each([digestOfSources, fingerprintSources])("a change to any module in the repository root changes %o", (identify) =>
  inTemporaryFolder((folder) => {
    const modules = fs.readdirSync(ROOT).filter((name) => /\.(?:ts|mjs)$/u.test(name) && !/^(?:vitest\.config|next-env\.d)\./u.test(name));
    expect(modules).toContain("instrumentation.ts");

    for (const name of modules) {
      fs.writeFileSync(path.join(folder, name), "one");
      const before = identify(folder);
      fs.writeFileSync(path.join(folder, name), "other");
      expect([name, identify(folder)]).not.toEqual([name, before]);
    }
  }),
);

test("notices a write that keeps a file's size and time", () =>
  inTemporaryFolder((folder) => {
    const [file, when] = [path.join(folder, "proxy.ts"), new Date(0)];
    fs.writeFileSync(file, "one");
    fs.utimesSync(file, when, when);
    const [before, { ctimeMs }] = [fingerprintSources(folder), fs.statSync(file)];
    expect(fingerprintSources(folder)).toBe(before);
    // Within a tick of the file system's clock, two writes have one time.
    while (fs.statSync(file).ctimeMs === ctimeMs) fs.writeFileSync(file, "two");
    fs.utimesSync(file, when, when);
    expect(fingerprintSources(folder)).not.toBe(before);
  }));
