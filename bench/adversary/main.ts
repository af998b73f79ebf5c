/**
 * `npm run adversary -- --n N [--seed S] [--jobs J] [--servers M] [--json]`: 0 when the adversary never succeeded and every guard was
 * missed, else 1. The same seed finds the same on any number of threads.
 */
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { ablate, MOST_ABLATED, type Ablated } from "./ablation";
import { campaign, type Hands, type Share } from "./campaign";
import { climb, type Part, type Range } from "./climb";
import { isClean, reportOf } from "./report";

type Task = { readonly climb: Range } | { readonly ablate: Share };
type Progress = { readonly done: number; readonly successes: number } | { readonly ablated: Ablated };
type Told<T> = Progress | { readonly result: T };

/** This very file, as another thread. */
const inThread = async <T>(task: Task, say: (progress: Progress) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.on("message", (told: Told<T>) => {
      if ("result" in told) resolve(told.result);
      else say(told);
    });
    worker.once("error", reject);
  });

const HANDS: Hands = {
  climb: async (range, say) =>
    inThread<Part>({ climb: range }, (progress) => {
      if ("done" in progress) say(progress.done, progress.successes);
    }),
  ablate: async (share, say) =>
    inThread<readonly Ablated[]>({ ablate: share }, (progress) => {
      if ("ablated" in progress) say(progress.ablated);
    }),
};

const work = async (task: Task): Promise<void> => {
  // The rule takes a thread's port for a window.
  const tell = (told: Told<unknown>) => parentPort?.postMessage(told);
  if ("climb" in task) return tell({ result: await climb(task.climb, (done, successes) => tell({ done, successes })) });
  const { guards, seed, most } = task.ablate;
  const result = guards.map((guard) => {
    const ablated = ablate(guard, seed, most);
    tell({ ablated });

    return ablated;
  });

  return tell({ result });
};

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    servers: { type: "string", default: "100" },
    json: { type: "boolean", default: false },
  },
});

const main = async (): Promise<void> => {
  const [n, seed, jobs, servers] = [Number(values.n), Number(values.seed), Number(values.jobs), Number(values.servers)];
  if (![n, seed, jobs, servers].every((number) => Number.isSafeInteger(number) && number >= 0) || n < 1 || jobs < 1) {
    process.stderr.write("usage: npm run adversary -- --n N [--seed S] [--jobs J] [--servers M] [--json]\n");
    process.exitCode = 1;

    return;
  }
  const done = await campaign(HANDS, {
    n,
    seed,
    jobs,
    servers,
    mostAblated: MOST_ABLATED,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(values.json ? `${JSON.stringify({ ...done, ok: isClean(done) })}\n` : `${reportOf(done)}\n`);
  process.exitCode = isClean(done) ? 0 : 1;
};

// A thread is started with the one task that it is for.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
await (isMainThread ? main() : work(workerData as Task));
