/** Kills a process in mid-run; a ready one resumes. */
import pg from "pg";
import { ownChild, startChild, type Child } from "@/bench/child";
import { must } from "@/bench/section";
import { askForRuns, publishVersion, type Installed } from "@/bench/steps/installation";
import { countingGraph } from "@/bench/steps/graph";
import { peerArguments } from "@/bench/steps/peers";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { loadRun } from "@/server/runner/load";
import { createVault } from "@/server/security/vault";
import { runHead } from "@/server/store/ledger/run-heads";
import { listPublicKeys } from "@/server/security/trust-anchor";
import type { RunnerOrder } from "./runner";

const POLL_MS = 2;
const PATIENCE_MS = 120_000;

export type Resumed = {
  /** Kill to next durable step. */
  readonly resume_ms: number;
  /** Null: no lease. */
  readonly lease_ms: number | null;
  readonly steps_at_kill: number;
  readonly steps: number;
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

const until = async (holds: () => Promise<boolean>, what: string): Promise<void> => {
  const startedAt = performance.now();
  while (!(await holds())) {
    must(performance.now() - startedAt < PATIENCE_MS, `${what} took too long`);
    await pause();
  }
};

const said = (child: Child, word: string): Promise<void> =>
  new Promise((resolve, reject) => {
    child.onLine((line) => line === word && resolve());
    child.answer.then(() => reject(new Error(`it ended before it was ${word}`)), reject);
  });

type Watched = { readonly steps: () => Promise<number>; readonly lease: () => Promise<number | null>; readonly close: () => Promise<void> };

const watch = async (url: string, sql: string, run: string): Promise<Watched> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const read = async () =>
    (await client.query<{ steps: number; lease: number | null }>({ name: "look", text: sql, values: [run] })).rows[0];

  return {
    steps: async () => (await read())?.steps ?? 0,
    lease: async () => (await read())?.lease ?? null,
    close: () => client.end(),
  };
};

/** @param continueRun tells the other process, if needed */
const killInTheMiddle = async (watched: Watched, steps: number, victim: () => Child, goOn: () => void) => {
  await until(async () => (await watched.steps()) >= steps / 2, "the first half");
  const dying = victim();
  dying.kill();
  const killedAt = performance.now();
  goOn();
  await dying.answer.catch(() => undefined);
  const [lease, atKill] = [await watched.lease(), await watched.steps()];
  must(atKill < steps, "the run had ended before its process was killed");
  await until(async () => (await watched.steps()) > atKill, "the next step");

  return { resume_ms: performance.now() - killedAt, lease_ms: lease === null ? null : Math.max(0, lease), steps_at_kill: atKill };
};

/** Request and start are no steps. */
const OURS = `select greatest(version - 2, 0) as steps, extract(epoch from lease_until - now())::float8 * 1000 as lease from run where id = $1`;

/** @throws Error when the ledger is invalid or incomplete */
const verified = async ({ urls, keys, workspace }: Installed, runId: string): Promise<number> => {
  await useDatabase(urls.runner);
  try {
    const head = await runHead(workspace, runId);
    if (!head) throw new Error("the run is gone");
    const place = { workspaceId: workspace, runId, version: head.version, digest: head.head };
    const { state, records } = await loadRun(createVault(keys.vault), await listPublicKeys(), place, head.graphHash);
    must(state.status === "completed", `the run is ${state.status}`);

    return records.length - 2;
  } finally {
    await closeDatabase();
  }
};

export const resumeOurs = async (installed: Installed, steps: number, leaseMs: number): Promise<Resumed> => {
  const hash = await publishVersion(installed, countingGraph(steps));
  const order: RunnerOrder = { installed, leaseMs };
  const runners = [0, 1].map(() => startChild(ownChild("runner", order)));
  const drivers: Child[] = [];
  for (const runner of runners) runner.onLine((line) => line === "driving" && drivers.push(runner));
  await Promise.all(runners.map((runner) => said(runner, "ready")));
  const [runId] = await askForRuns(installed, hash, 1, 10);
  const watched = await watch(installed.urls.admin, OURS, runId ?? "");
  try {
    const victim = (): Child => {
      const [first] = drivers;
      if (!first) throw new Error("no runner drives the run");

      return first;
    };
    const killed = await killInTheMiddle(watched, steps, victim, () => undefined);
    await until(async () => (await watched.steps()) >= steps, "the second half");
    await until(async () => (await watched.lease()) === null, "the end of the run");
    const made = await verified(installed, runId ?? "");
    must(made === steps, `the run has ${made} steps instead of ${steps}`);

    return { ...killed, steps: made };
  } finally {
    for (const runner of runners) runner.kill();
    await watched.close();
  }
};

const PEER_STEPS: Readonly<Record<string, string>> = {
  langgraph: "select count(*)::int as steps, null as lease from checkpoints where thread_id = $1 and (metadata->>'step')::int >= 1",
  dbos: "select count(*)::int as steps, null as lease from dbos.operation_outputs where workflow_uuid = $1",
};

export const resumablePeers = Object.keys(PEER_STEPS);

export const resumePeer = async (name: string, databaseUrl: string, run: string, steps: number): Promise<Resumed> => {
  const order = { databaseUrl, runs: 1, steps, stateBytes: 10, run };
  const first = startChild(...peerArguments(`${name}.mjs`, { ...order, mode: "drive" }));
  await said(first, "ready");
  const second = startChild(...peerArguments(`${name}.mjs`, { ...order, mode: "resume" }));
  await said(second, "ready");
  const watched = await watch(databaseUrl, PEER_STEPS[name] ?? "", run);
  try {
    first.tell("go");
    const killed = await killInTheMiddle(
      watched,
      steps,
      () => first,
      () => second.tell("go"),
    );
    await second.answer;

    return { ...killed, steps: await watched.steps() };
  } finally {
    first.kill();
    second.kill();
    await watched.close();
  }
};
