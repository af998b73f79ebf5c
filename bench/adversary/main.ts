/**
 * `npm run adversary -- --n N [--seed S] [--jobs J] [--servers M] [--json]`: 0 if nothing succeeded and each removed
 * guard was noticed. Depends on the seed only.
 * `--rung database|web|admin|worker|host|server [--only TEXT] [--jobs J] [--json]`: real processes.
 */
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { ablate, MOST_ABLATED, type Ablated } from "./ablation";
import { campaign, type Hands, type Share } from "./campaign";
import { climb, type Part, type Range } from "./climb";
import { isClean, reportOf, tableOf } from "./report";
import type { AttackRow } from "./rungs/play";
import { RUNGS, type Rung } from "./rungs/attack";

type RungTask = { readonly rung: Rung; readonly names: readonly string[] };

type Task = { readonly climb: Range } | { readonly ablate: Share } | RungTask;
type Progress = { readonly done: number; readonly successes: number } | { readonly ablated: Ablated } | { readonly line: string };
type Told<T> = Progress | { readonly result: T };

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
  // The lint rule mistakes a thread's port for a window.
  const tell = (told: Told<unknown>) => parentPort?.postMessage(told);
  if ("climb" in task) return tell({ result: await climb(task.climb, (done, successes) => tell({ done, successes })) });
  if ("rung" in task) {
    const { makeTarget, playAttacks } = await import("./rungs/play");
    const say = (line: string) => tell({ line });
    const target = await makeTarget(say);
    try {
      return tell({ result: await playAttacks(target, task.rung, task.names, say) });
    } finally {
      await target.close();
    }
  }
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
    rung: { type: "string" },
    only: { type: "string", default: "" },
  },
});

const USAGE = `usage: npm run adversary -- --n N [--seed S] [--jobs J] [--servers M] [--json]
       npm run adversary -- --rung ${RUNGS.join("|")} [--only TEXT] [--jobs J] [--json]
       npm run adversary -- --rung server|worker|host [--only TEXT] [--json]
`;

const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const playRung = async (rung: Rung, only: string, jobs: number, json: boolean): Promise<void> => {
  const { listAttacks, hasPassed, buildRungReport } = await import("./rungs/play");
  const names = listAttacks(rung).flatMap(({ name }) => (name.includes(only) ? [name] : []));
  const shares = Array.from({ length: jobs }, (_none, job) => names.filter((_name, index) => index % jobs === job));
  const parts = await Promise.all(
    shares.map((share) =>
      inThread<readonly AttackRow[]>({ rung, names: share }, (progress) => {
        if ("line" in progress) complain(progress.line);
      }),
    ),
  );
  const report = buildRungReport(rung, parts.flat());
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${tableOf(report)}\n`);
  process.exitCode = hasPassed(report) ? 0 : 1;
};

const playServer = async (only: string, json: boolean): Promise<void> => {
  const { hasServerPassed, playServerAttacks, SERVER_ATTACKS } = await import("./rungs/server/play");
  const report = await playServerAttacks(
    SERVER_ATTACKS.filter((name) => name.includes(only)),
    true,
    complain,
  );
  process.stdout.write(`${JSON.stringify(report, null, json ? 0 : 2)}\n`);
  process.exitCode = hasServerPassed(report) ? 0 : 1;
};

const playWorker = async (only: string, json: boolean): Promise<void> => {
  const { hasWorkerPassed, playWorkerAttacks } = await import("./rungs/worker/play");
  const { WORKER_ATTACKS } = await import("./rungs/worker/attacks");
  const { startServer } = await import("@/bench/server");
  const { closeDatabase, useDatabase } = await import("@/server/db/client");
  const { closeConnections } = await import("@/server/testing/connections");
  const server = await startServer();
  try {
    const urls = await server.migrated();
    await useDatabase(urls.runner);
    const names = WORKER_ATTACKS.filter((name) => name.includes(only));
    const report = await playWorkerAttacks(names, { urls, isSandboxed: true, say: complain });
    process.stdout.write(`${JSON.stringify(report, null, json ? 0 : 2)}\n`);
    process.exitCode = hasWorkerPassed(report) ? 0 : 1;
  } finally {
    await Promise.all([closeDatabase(), closeConnections()]);
    await server.stop();
  }
};

const playHost = async (only: string, json: boolean): Promise<void> => {
  const { HOST_ATTACKS, playHostAttacks } = await import("./rungs/host/play");
  const names = HOST_ATTACKS.filter((name) => name.includes(only));
  const report = await playHostAttacks(names, true, complain);
  process.stdout.write(`${JSON.stringify(report, null, json ? 0 : 2)}\n`);
  process.exitCode = report.attacks > 0 && report.successes === 0 ? 0 : 1;
};

const main = async (): Promise<void> => {
  if (values.rung === "host") return playHost(values.only, values.json);
  if (values.rung === "server") return playServer(values.only, values.json);
  if (values.rung === "worker") return playWorker(values.only, values.json);
  const rung = RUNGS.find((name) => name === values.rung);
  const [n, seed, jobs, servers] = [Number(values.n), Number(values.seed), Number(values.jobs), Number(values.servers)];
  const isWrong =
    (values.rung !== undefined && !rung) ||
    ![n, seed, jobs, servers].every((number) => Number.isSafeInteger(number) && number >= 0) ||
    n < 1 ||
    jobs < 1;
  if (isWrong) {
    process.stderr.write(USAGE);
    process.exitCode = 1;

    return;
  }
  if (rung) return playRung(rung, values.only, jobs, values.json);
  const done = await campaign(HANDS, {
    n,
    seed,
    jobs,
    servers,
    mostAblated: MOST_ABLATED,
    say: complain,
  });
  process.stdout.write(values.json ? `${JSON.stringify({ ...done, ok: isClean(done) })}\n` : `${reportOf(done)}\n`);
  process.exitCode = isClean(done) ? 0 : 1;
};

// A thread is started with its task.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
await (isMainThread ? main() : work(workerData as Task));
