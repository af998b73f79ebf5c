/** `npm run adversary -- --n N [--seed S] [--json]`: 0 when the adversary never succeeded and every guard was missed, else 1. */
import { parseArgs } from "node:util";
import { campaign } from "./campaign";
import { isClean, reportOf } from "./report";

/** Enough for the rarest composition that one of the guards needs. */
const MOST_ABLATED = 10_000;

const { values } = parseArgs({
  options: { n: { type: "string", default: "10000" }, seed: { type: "string", default: "1" }, json: { type: "boolean", default: false } },
});
const n = Number(values.n);
const seed = Number(values.seed);

if (!Number.isSafeInteger(n) || n < 1 || !Number.isSafeInteger(seed) || seed < 0) {
  process.stderr.write("usage: npm run adversary -- --n N [--seed S] [--json]\n");
  process.exitCode = 1;
} else {
  const done = await campaign({ n, seed, mostAblated: MOST_ABLATED, say: (line) => process.stderr.write(`${line}\n`) });

  process.stdout.write(values.json ? `${JSON.stringify({ ...done, ok: isClean(done) })}\n` : `${reportOf(done)}\n`);
  process.exitCode = isClean(done) ? 0 : 1;
}
