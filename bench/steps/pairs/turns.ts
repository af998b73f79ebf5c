/** Turns of one checkout on a Postgres of its own. Bundled with that checkout's modules: uses only what older ones have too. */
import fs from "node:fs";
import readline from "node:readline";
import { cpuSeconds } from "@/bench/processes";
import { startServer } from "@/bench/server";
import { countingGraph } from "@/bench/steps/graph";
import * as installation from "@/bench/steps/installation";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { driveRun } from "@/server/runner/drive";
import { closeConnections } from "@/server/testing/connections";
import { ANSWER, type Turn, type TurnOrder } from "./turn";

const LEASE_MS = 60_000;
const STATE_BYTES = 10;

// Renamed since.
const named: Readonly<Record<string, unknown>> = installation;
const createRunnerDeps = (named["createRunnerDeps"] ?? named["runnerDeps"]) as typeof installation.createRunnerDeps;

/** Parent and CPU seconds, of ended children too. */
const readStat = (pid: string): { readonly parent: string; readonly ended: number } | null => {
  try {
    const fields = fs
      .readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /su, "")
      .split(" ");

    return { parent: fields[1] ?? "", ended: Number(fields[13]) + Number(fields[14]) };
  } catch {
    return null;
  }
};

const server = await startServer();
const [first] = await server.query<{ pid: string }>(server.adminUrl, "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid");
const postmaster = first?.pid ?? "";

const postgresSeconds = (): number => {
  const running = fs
    .readdirSync("/proc")
    .filter((pid) => /^\d+$/u.test(pid) && (pid === postmaster || readStat(pid)?.parent === postmaster));
  // 100 ticks a second on Linux.
  const ended = (readStat(postmaster)?.ended ?? 0) / 100;

  return running.reduce((sum, pid) => sum + (cpuSeconds(Number(pid)) ?? 0), ended);
};

const installed = await installation.install(server);
await useDatabase(installed.urls.runner);
const hashes = new Map<number, string>();
const hashOf = async (steps: number): Promise<string> => {
  const hash = hashes.get(steps) ?? (await installation.publishVersion(installed, countingGraph(steps)));
  hashes.set(steps, hash);

  return hash;
};

let deps: Awaited<ReturnType<typeof createRunnerDeps>> | null = null;

const takeTurn = async ({ runs, steps }: TurnOrder): Promise<Turn> => {
  const hash = await hashOf(steps);
  // After publishing: it adopts the rows.
  deps ??= await createRunnerDeps(installed, LEASE_MS, () => undefined);
  const asked = await installation.askForRuns(installed, hash, runs, STATE_BYTES);
  await server.query(server.adminUrl, "checkpoint");
  const [postgres, startedMs, { user, system }] = [postgresSeconds(), performance.now(), process.cpuUsage()];
  const driver = deps;
  await Promise.all(asked.map((runId) => driveRun(driver, { onWake: () => () => undefined }, installed.workspace, runId)));
  const used = process.cpuUsage();
  const [wallMs, postgresMs] = [performance.now() - startedMs, (postgresSeconds() - postgres) * 1_000];
  const done = await server.query(installed.urls.admin, "select 1 from run where id = any($1) and status = 'completed' and version > $2", [
    asked,
    steps,
  ]);

  return { completed: done.length, wallMs, postgresMs, cpuMs: (used.user + used.system - user - system) / 1_000 };
};

const say = (answer: object): void => void process.stdout.write(`${ANSWER}${JSON.stringify(answer)}\n`);

// All versions before the runner's first look at them.
for (const steps of JSON.parse(process.argv[2] ?? "[]") as number[]) await hashOf(steps);
say({ ready: true });
for await (const line of readline.createInterface({ input: process.stdin })) {
  if (line === "end") break;
  say(await takeTurn(JSON.parse(line) as TurnOrder));
}
await Promise.all([closeConnections(), closeDatabase()]);
await server.stop();
process.exit(0);
