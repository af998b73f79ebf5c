/** Approves calls of waiting runs under a real runner. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ensureHome } from "@/bin/start/home";
import { createPeople, type People } from "@/bench/chaos/load/people";
import { writingGraph } from "@/bench/approve/graph";
import { orderSchema, type Approved, type Latency } from "@/bench/approve/order";
import { quantile } from "@/bench/report";
import { buildRunner, startRunner } from "@/bench/runner-process";
import { must } from "@/bench/section";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { openDesk, publishAs, query, type Desk } from "@/server/runner/testing/desk";
import { customersOf, decisionFor, readRun } from "@/server/runner/testing/run";
import { closeConnections } from "@/server/testing/connections";

const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 600_000;

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

export const measureApprove = async (text: string): Promise<Approved> => {
  const { urls, home, waiting, paced, burst, everyMs } = orderSchema.parse(JSON.parse(text));
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
    const runIds = await startAll(desk, people, waiting);
    await until("waiting", async () => (await count(desk, "approval where status = 'open'")) === waiting);
    // Runs just started may be driven once more.
    await until("rest", async () => (await count(desk, "pgboss.job where state in ('created', 'retry', 'active')")) === 0);
    // The first call starts the server.
    await approveAll(desk, people, runIds.slice(0, 1), 0);

    return {
      paced: await approveAll(desk, people, runIds.slice(1, 1 + paced), everyMs),
      burst: await approveAll(desk, people, runIds.slice(1 + paced, 1 + paced + burst), 0),
    };
  } finally {
    child.kill();
    await Promise.all([people.close(), closeConnections(), closeDatabase()]);
  }
};
