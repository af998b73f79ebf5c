import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RUNNER_ARGS } from "./node-args.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "countersign-args-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const PROGRAM = `
  import { getCallSites } from "node:util";

  const [caller] = getCallSites();
  console.log(JSON.stringify({ stack: new Error("here").stack, caller: caller?.scriptName }));
`;

it("maps the stacks of a runner's errors, but not what a logger asks for its caller", async () => {
  const outfile = path.join(folder, "program.mjs");
  const stdin = { contents: PROGRAM, loader: "ts", sourcefile: "original.ts", resolveDir: folder } as const;
  await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", sourcemap: true, logLevel: "silent" });
  const { stdout } = await promisify(execFile)(process.execPath, [...RUNNER_ARGS, outfile]);
  const { stack, caller } = JSON.parse(stdout) as { readonly stack: string; readonly caller: string };
  expect(stack).toContain("original.ts:5");
  expect(caller).toContain("program.mjs");
});
