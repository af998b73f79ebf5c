import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundlePrograms } from "@/bin/bundle";
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
  await writeFile(path.join(folder, "original.ts"), PROGRAM);
  await bundlePrograms({ root: folder, outdir: path.join(folder, "build"), entries: { program: "original.ts" } });
  const { stdout } = await promisify(execFile)(process.execPath, [...RUNNER_ARGS, path.join(folder, "build", "program.mjs")]);
  const { stack, caller } = JSON.parse(stdout) as { readonly stack: string; readonly caller: string };
  expect(stack).toContain("original.ts:5");
  expect(caller).toContain("program.mjs");
});
