/** `npm run chaos -- [--seconds S] [--runs N] [--runners R] [--seed X] [--only FAULT] [--keep] [--json]`: 0 when all invariants hold. */
import { parseArgs } from "node:util";
import { FAULT_KINDS } from "@/bench/chaos/faults/plan";
import { reportOf } from "@/bench/chaos/report";
import { FULL_S, runChaos, type Options } from "@/bench/chaos/run";

const USAGE = `usage: npm run chaos -- [--seconds S] [--runs N] [--runners R] [--seed X] [--only FAULT] [--keep] [--json]
faults: ${FAULT_KINDS.join(", ")}
`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: String(FULL_S) },
    runs: { type: "string", default: "1000" },
    runners: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const optionsOf = (): Options | null => {
  const [seconds = 0, runs = 0, runners = 0, seed = 0] = [values.seconds, values.runs, values.runners, values.seed].map(Number);
  const only = FAULT_KINDS.find((kind) => kind === values.only) ?? null;
  const isMeant = [seconds, runs, seed].every((number) => Number.isSafeInteger(number) && number >= 1);
  // One runner is spared.
  if (!isMeant || !Number.isSafeInteger(runners) || runners < 2 || (values.only !== undefined && only === null)) return null;

  return { seconds, runs, runners, seed, only };
};

const options = optionsOf();
if (options === null) {
  process.stderr.write(USAGE);
  process.exitCode = 1;
} else {
  const started = performance.now();
  const say = (line: string): void =>
    void process.stderr.write(`[${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s] ${line}\n`);
  const outcome = await runChaos(options, say, values.keep);
  process.stdout.write(values.json ? `${JSON.stringify({ seed: options.seed, ...outcome })}\n` : `${reportOf(outcome)}\n`);
  process.exitCode = outcome.ok ? 0 : 1;
}
