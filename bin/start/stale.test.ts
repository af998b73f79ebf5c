import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { ROOT } from "./settings.ts";
import { digestOfSources } from "./stale.ts";

test("a change to any module in the repository root makes the build stale", () =>
  inTemporaryFolder((folder) => {
    const modules = fs.readdirSync(ROOT).filter((name) => /\.(?:ts|mjs)$/u.test(name) && !/^(?:vitest\.config|next-env\.d)\./u.test(name));
    expect(modules).toContain("instrumentation.ts");

    for (const name of modules) {
      fs.writeFileSync(path.join(folder, name), "one");
      const before = digestOfSources(folder);
      fs.writeFileSync(path.join(folder, name), "two");
      expect([name, digestOfSources(folder)]).not.toEqual([name, before]);
    }
  }));
