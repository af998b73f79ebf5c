import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { bundlePrograms } from "./bundle.ts";
import { ROOT } from "./start/settings.ts";
import { inTemporaryFolder } from "./testing.ts";

test("a program runs where no package is installed, and its map leaves packages out", () =>
  inTemporaryFolder(async (folder) => {
    const program = path.join(folder, "customers.mjs");
    await bundlePrograms({ root: ROOT, outdir: folder, entries: { customers: "./server/mcp/customers/main.ts" } });
    const { stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: "utf8", env: { NODE_ENV: "test" } });

    // It complains of its settings once everything is loaded.
    expect(stderr).toContain("COUNTERSIGN_TRUST_ANCHOR");
    expect(fs.readFileSync(`${program}.map`, "utf8")).toContain("server/mcp/customers/main.ts");
    // More than half of it, with packages.
    expect(fs.statSync(`${program}.map`).size).toBeLessThan(fs.statSync(program).size / 5);
  }));
