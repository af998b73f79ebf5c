import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { runStages } from "./run-steps.ts";
import { checkStages, testStages, type Stage, type Step } from "./steps.ts";

const node = (label: string, code: string, more: Pick<Step, "report"> = {}): Step => ({
  label,
  program: "node",
  args: ["-e", code],
  ...more,
});

const run = async (stages: readonly Stage[]): Promise<{ readonly ok: boolean; readonly lines: readonly string[] }> => {
  const lines: string[] = [];
  const ok = await runStages(stages, (line) => lines.push(line.replace(/ \(\d+\.\d s/u, " (")));

  return { ok, lines };
};

test("steps of a stage run at the same time, stages one after another", () =>
  inTemporaryFolder(async (folder) => {
    // Each ends only once it has seen the other.
    const meet = (own: string, other: string): string => `
      const fs = require("node:fs");
      fs.writeFileSync(${JSON.stringify(path.join(folder, own))}, "");
      const untilMs = Date.now() + 20_000;
      const look = () => {
        if (fs.existsSync(${JSON.stringify(path.join(folder, other))})) return;
        if (Date.now() > untilMs) process.exit(1);
        setTimeout(look, 5);
      };
      look();`;
    const count = `process.exit(require("node:fs").readdirSync(${JSON.stringify(folder)}).length === 2 ? 0 : 1)`;

    expect(await run([[node("one", meet("one", "other")), node("other", meet("other", "one"))], [node("then", count)]])).toMatchObject({
      ok: true,
    });
  }));

test("a failed check lets the rest of its stage end and stops the run", () =>
  inTemporaryFolder(async (folder) => {
    const file = path.join(folder, "later");
    const { ok, lines } = await run([
      [node("lint", "process.stderr.write('a fault'); process.exit(3)"), node("types", "")],
      [node("later", `require("node:fs").writeFileSync(${JSON.stringify(file)}, "")`)],
    ]);

    expect(ok).toBe(false);
    expect(lines.toSorted()).toEqual(["0 passed, 1 failed", "a fault", "✓ types ()", "✗ lint ()"]);
    expect(fs.existsSync(file)).toBe(false);
  }));

test("failed tests are counted and do not stop the run", () =>
  inTemporaryFolder(async (folder) => {
    const file = path.join(folder, "report.json");
    fs.writeFileSync(file, JSON.stringify({ numPassedTests: 5, numFailedTests: 2 }));

    expect(await run([[node("tests", "process.exit(1)", { report: { kind: "vitest", file } })], [node("later", "")]])).toEqual({
      ok: false,
      lines: ["", "✗ tests (, 5 passed, 2 failed)", "✓ later ()", "5 passed, 2 failed"],
    });
  }));

test("a program that is missing fails its step", async () => {
  expect(await run([[{ label: "missing", program: "countersign-missing", args: [] }]])).toMatchObject({ ok: false });
});

test("every check comes before every test, and the build before the browser", () => {
  const labels = testStages("/reports", "/chromium").map((stage) => stage.map(({ label }) => label));

  expect(labels.slice(0, 2).flat().toSorted()).toEqual(["dead code", "format", "lint and layers", "prose", "route types", "types"]);
  expect(labels.slice(2)).toEqual([
    ["unit and property tests"],
    ["processes, programs and campaigns"],
    ["tests on a real Postgres", "build"],
    ["the product in a browser"],
  ]);
  expect(checkStages("/reports")).toEqual(testStages("/reports", "/chromium").slice(0, 3));
});
