import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ensureHome } from "@/bin/start/home";
import { createPeople, type People } from "@/bench/chaos/load/people";
import { writingGraph } from "@/bench/approve/graph";
import { figure, markdown, quantile } from "@/bench/report";
import { buildRunner, startRunner } from "@/bench/runner-process";
import { must, type Bench, type Section } from "@/bench/section";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { openDesk, publishAs, query, type Desk } from "@/server/runner/testing/desk";
import { customersOf, decisionFor, readRun } from "@/server/runner/testing/run";
import { closeConnections } from "@/server/testing/connections";

const PLANS = {
  full: { waiting: 1_000, paced: 200, burst: 50, everyMs: 100 },
  quick: { waiting: 12, paced: 4, burst: 4, everyMs: 50 },
} as const;
const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 600_000;

/** Milliseconds from asking for a decision to the record that the call was answered. */
type Latency = { readonly approved: number; readonly p50: number; readonly p95: number; readonly most: number };

export type ApproveResult = {
  readonly waiting: number;
  readonly every_ms: number;
  readonly paced: Latency;
  readonly burst: Latency;
  readonly lost: 0;
};

const count = async ({ urls }: Desk, sql: string): Promise<number> =>
  (await query<{ n: number }>(urls.admin, `select count(*)::int as n from ${sql}`))[0]?.n ?? 0;

const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const startedAt = performance.now();
  while (!(await holds())) {
    must(performance.now() - startedAt < PATIENCE_MS, `${what} took too long`);
    await wait(LOOK_EVERY_MS);
  }
};

const startAll = async (desk: Desk, people: People, runs: number): Promise<string[]> => {
  const asked: string[] = [];
  for (let index = 0; index < runs; index += 1) {
    const runId = randomUUID();
    await people.ask(runId, desk.people.starter, {
      kind: "start",
      graph_hash: desk.graphHash,
      goal: "",
      constraints: [],
      inputs: { reason: `Outage ${index}` },
      model: "scripted:honest",
    });
    asked.push(runId);
  }

  return asked;
};

/** Decides the runs, one each `everyMs`, in an order of their own. */
const approveAll = async (desk: Desk, people: People, runIds: readonly string[], everyMs: number): Promise<Latency> => {
  const prepared = await Promise.all(
    runIds.map(async (runId) => ({ runId, body: decisionFor(desk, (await readRun(desk, runId)).state, "approve") })),
  );
  const [before, completed] = [(await customersOf(desk)).applied, await count(desk, "run where status = 'completed'")];
  const startedAt = performance.now();
  const sent = await Promise.all(
    prepared.toReversed().map(async ({ runId, body }, index) => {
      await wait(Math.max(0, startedAt + index * everyMs - performance.now()));
      const atMs = Date.now();
      await people.ask(runId, desk.people.reviewer, body);

      return { runId, atMs };
    }),
  );
  await until("the approved runs", async () => (await count(desk, "run where status = 'completed'")) === completed + runIds.length);
  // Reading a run verifies its ledger.
  const latencies = await Promise.all(
    sent.map(async ({ runId, atMs }) => {
      const { state, records } = await readRun(desk, runId);
      must(state.status === "completed", `an approved run is ${state.status}`);
      const answered = records.find(({ record }) => record.proposal_kind === "effect_outcome");

      return (answered?.record.at ?? Number.NaN) - atMs;
    }),
  );
  must((await customersOf(desk)).applied === before + runIds.length, "an approved call was lost, or made twice");

  return { approved: runIds.length, p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95), most: Math.max(...latencies) };
};

const run = async (bench: Bench): Promise<ApproveResult> => {
  const { waiting, paced, burst, everyMs } = PLANS[bench.scale];
  const progress = bench.counted(4);
  const urls = await (await bench.server()).migrated();
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-approve-"));
  ensureHome(home);
  const read = (name: string): string => fs.readFileSync(path.join(home, "keys", name), "utf8");
  const program = await buildRunner(home);
  await useDatabase(urls.runner);
  const opened = await openDesk(urls, { home, root: process.cwd() }, { pem: read("signing.key"), vault: read("vault.key") });
  const published = writingGraph(opened.published.tools);
  const desk: Desk = { ...opened, published, graphHash: await publishAs(opened, published, opened.people.builder) };
  await desk.mcp.close();
  const people = createPeople(urls, desk.workspace, desk.deps.vault);
  const env = { COUNTERSIGN_CUSTOMERS_URL: urls.customers };
  const child = await startRunner(program, { home, runnerUrl: urls.runner, adminUrl: urls.admin, env });
  try {
    progress(`${waiting} runs until each waits`);
    const runIds = await startAll(desk, people, waiting);
    await until("waiting", async () => (await count(desk, "approval where status = 'open'")) === waiting);
    progress("one approval, so that the server is up");
    await approveAll(desk, people, runIds.slice(0, 1), 0);
    progress(`${paced} approvals, one each ${everyMs} ms`);
    const slow = await approveAll(desk, people, runIds.slice(1, 1 + paced), everyMs);
    progress(`${burst} approvals at once`);
    const fast = await approveAll(desk, people, runIds.slice(1 + paced, 1 + paced + burst), 0);

    return { waiting, every_ms: everyMs, paced: slow, burst: fast, lost: 0 };
  } finally {
    child.kill();
    await Promise.all([people.close(), closeConnections(), closeDatabase()]);
    fs.rmSync(home, { recursive: true, force: true });
  }
};

const table = ({ waiting, every_ms: everyMs, paced, burst }: ApproveResult): string => {
  const row = (name: string, { approved, p50, p95, most }: Latency) => [
    name,
    figure(approved),
    figure(p50, "ms"),
    figure(p95, "ms"),
    figure(most, "ms"),
  ];

  return [
    `From sending a decision to the record that the approved call was answered, with ${figure(waiting)} runs waiting. None was lost, none made twice, and each ledger verifies.`,
    markdown(["", "approved", "p50", "p95", "most"], [row(`one each ${everyMs} ms`, paced), row("at once", burst)]),
  ].join("\n\n");
};

export const APPROVE: Section<ApproveResult> = {
  name: "approve",
  says: "from a decision to its call, with many runs that wait; none lost, none twice",
  run,
  table,
};
