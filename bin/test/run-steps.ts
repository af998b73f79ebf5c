import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { ROOT } from "../start/settings.ts";
import { countFlows, noCounts, type Counts } from "./counts.ts";
import { secondAttempts } from "./second-attempts.ts";
import type { Stage, Step } from "./steps.ts";

const bin = path.join(ROOT, "node_modules", ".bin");
const compiled = path.join(ROOT, "node_modules", ".cache", "countersign-compiled");

type Ended = { readonly ok: boolean; readonly words: string };
type Say = (line: string) => void;

const spawnStep = (step: Step): Promise<Ended> =>
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

const runStep = async (step: Step, say: Say): Promise<Counts & { readonly ok: boolean; readonly stops: boolean }> => {
  const startedMs = Date.now();
  const { ok, words } = await spawnStep(step);
  const counts = countFlows(step);

  if (!ok) say(words.trimEnd());
  say(`${ok ? "✓" : "✗"} ${step.label} (${((Date.now() - startedMs) / 1000).toFixed(1)} s${said(counts)})`);
  for (const line of secondAttempts(words)) say(line);

  return {
    ok,
    // A failed check or build stops the run; failed tests do not.
    stops: !ok && step.report === undefined,
    passed: counts.passed,
    // Types, lint or a crash: one failure.
    failed: ok ? counts.failed : Math.max(counts.failed, 1),
  };
};

/** Runs stage after stage. @returns whether every step succeeded */
export const runStages = async (stages: readonly Stage[], say: Say): Promise<boolean> => {
  let sum = noCounts;
  let ok = true;

  for (const stage of stages) {
    const ended = await Promise.all(stage.map((step) => runStep(step, say)));

    for (const { passed, failed } of ended) sum = { passed: sum.passed + passed, failed: sum.failed + failed };
    ok &&= ended.every((step) => step.ok);
    if (ended.some(({ stops }) => stops)) break;
  }
  say(`${sum.passed} passed, ${sum.failed} failed`);

  return ok;
};
