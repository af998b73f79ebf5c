import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ROOT } from "@/bin/start/settings";

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });
const { scripts } = packageSchema.parse(JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")));
const ofNode = Object.entries(scripts).filter(([, command]) => command.startsWith("node "));

describe("npm scripts", () => {
  test.each(ofNode)("%s starts with JavaScript that an old Node can run", (_name, command) => {
    const [file = "", entry] = command
      .split(" ")
      .slice(1)
      .filter((part) => !part.startsWith("-"));
    expect(path.extname(file)).toBe(".mjs");
    expect([file, entry ?? file].filter((named) => !fs.existsSync(path.join(ROOT, named)))).toEqual([]);
  });

  test("pass their arguments to the entry point", async () => {
    const run = promisify(execFile)(process.execPath, ["bin/run.mjs", "bench/adversary/start.ts", "--n", "none"], { cwd: ROOT });
    await expect(run).rejects.toThrow("npm run adversary -- --n N");
  });
});
