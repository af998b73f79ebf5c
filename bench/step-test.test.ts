import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseEntries } from "@/lib/engine/testing/entries";
import { atParse, result, update } from "@/lib/engine/testing/run";
import { buildStepTest } from "@/lib/engine/step-test/step-test";

const VITEST = path.resolve("node_modules/vitest/vitest.mjs");

/** `decide` with unrestricted writes. */
const WITHOUT_GRANTS = `import { decide as real } from "@/lib/engine/decide";
export const decide: typeof real = (published, state, proposal) => {
  const nodes = published.graph.nodes.map((node) => ({ ...node, write_keys: ["*"] }));
  const agents = published.agents.map((agent) => ({ ...agent, permissions: { ...agent.permissions, write_keys: ["*"] } }));

  return real({ ...published, graph: { ...published.graph, nodes }, agents }, state, proposal);
};
`;

let folder: string;
let text: string;

const passes = (file: string): Promise<boolean> =>
  promisify(execFile)(process.execPath, [VITEST, "run", "--project", "programs", file], { cwd: process.cwd() }).then(
    () => true,
    (error: unknown) => {
      // A file that does not load would fail too.
      expect(stripVTControlCharacters(String((error as { stdout?: unknown }).stdout))).toMatch(/Tests\s+1 failed/u);

      return false;
    },
  );

beforeAll(async () => {
  folder = await mkdtemp(path.resolve("bench/step-test-"));
  const run = atParse();
  run.work(result(update("topic", "prices")));
  const made = buildStepTest(run.published, parseEntries(run), run.state().version - 1);
  if (!made.ok) throw new Error(made.error);
  text = made.value;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("passes the exported test unchanged", async () => {
  const file = path.join(folder, "as-it-is.test.ts");
  await writeFile(file, text);

  expect(await passes(file)).toBe(true);
}, 120_000);

test("fails the exported test when nodes may write without grants", async () => {
  await writeFile(path.join(folder, "without-grants.ts"), WITHOUT_GRANTS);
  const file = path.join(folder, "without.test.ts");
  await writeFile(file, text.replace('import { decide } from "@/lib/engine/decide";', 'import { decide } from "./without-grants";'));

  expect(await passes(file)).toBe(false);
}, 120_000);
