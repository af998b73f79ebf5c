import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ROOT } from "../start/settings.ts";
import { findChromium } from "./chromium.ts";
import { secondAttempts } from "./second-attempts.ts";
import { countFlows, noCounts, type Counts } from "./counts.ts";
import { checkSteps, testSteps, type Step } from "./steps.ts";
import { writeErr, writeOut } from "../terminal.mjs";

const bin = path.join(ROOT, "node_modules", ".bin");
const compiled = path.join(ROOT, "node_modules", ".cache", "countersign-compiled");

const say = (line: string): void => {
  writeOut(`${line}\n`);
};

const runStep = (step: Step): Promise<{ readonly ok: boolean; readonly words: string }> =>
  new Promise((resolve) => {
    const found = path.join(bin, step.program);
    const child = spawn(fs.existsSync(found) ? found : step.program, step.args, {
      cwd: ROOT,
      // The programs' shebangs must find the running Node.
      env: {
        ...process.env,
        PATH: [path.dirname(process.execPath), bin, process.env["PATH"] ?? ""].join(path.delimiter),
        NEXT_TELEMETRY_DISABLED: "1",
        // Compiles packages once for hundreds of processes.
        NODE_COMPILE_CACHE: compiled,
        ...step.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let words = "";

    child.stdout.on("data", (chunk: Buffer) => (words += chunk.toString("utf8")));
    child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString("utf8")));
    child.once("error", (error) => resolve({ ok: false, words: error.message }));
    child.once("close", (code) => resolve({ ok: code === 0, words }));
  });

const said = ({ passed, failed }: Counts): string => (passed + failed === 0 ? "" : `, ${passed} passed, ${failed} failed`);

const run = async (steps: readonly Step[]): Promise<boolean> => {
  let sum = noCounts;
  let ok = true;

  for (const step of steps) {
    const startedMs = Date.now();
    const result = await runStep(step);
    const counts = countFlows(step);

    ok &&= result.ok;
    // A step that fails without failed tests (types, lint, a crash) counts as one failure.
    sum = { passed: sum.passed + counts.passed, failed: sum.failed + (result.ok ? counts.failed : Math.max(counts.failed, 1)) };
    if (!result.ok) say(result.words.trimEnd());
    say(`${result.ok ? "✓" : "✗"} ${step.label} (${((Date.now() - startedMs) / 1000).toFixed(1)} s${said(counts)})`);
    for (const line of secondAttempts(result.words)) say(line);
    // A failed check or build stops the run; failed tests do not.
    if (!result.ok && !step.report) break;
  }
  say(`${sum.passed} passed, ${sum.failed} failed`);

  return ok;
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-npm-test-"));

// As root, Postgres runs as another user who must traverse the state folder.
fs.chmodSync(folder, 0o711);

const isCheck = process.argv.includes("--check");

try {
  process.exitCode = (await run(isCheck ? checkSteps(folder) : testSteps(folder, findChromium()))) ? 0 : 1;
} catch (error) {
  writeErr(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
