import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makePostgres, type Postgres } from "@/bench/chaos/postgres";
import { triggerSchema } from "@/lib/graph/triggers/trigger";
import { bundleInto } from "@/server/mcp/testing/bundles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { openDesk, type Desk } from "@/server/runner/testing/desk";
import { prepareFleet, startRunner, type RunnerProcess } from "@/server/runner/testing/fleet";
import { listEvents, listRefusals, publishOrders, type TriggerWorld } from "@/server/runner/testing/triggers";
import { closeConnections, queryOn } from "@/server/testing/connections";

const HOUR_MS = 3_600_000;
const PATIENCE = { timeout: 60_000, interval: 50 };

const installation = await testInstallation();
let folder: string;
let postgres: Postgres;
let desk: Desk;
let world: TriggerWorld;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "countersign-schedule-"));
  await chmod(folder, 0o711);
  postgres = await makePostgres(folder, `${folder}.log`);
  await useDatabase(postgres.urls.runner);
  desk = await openDesk(postgres.urls, installation);
  await prepareFleet(desk);
  await bundleInto(installation, { clock: "./bench/chaos/processes/preload.ts" });
  const { builder, reviewer } = desk.people;
  world = { urls: desk.urls, deps: desk.deps, workspace: desk.workspace, publisher: builder, reviewer };
}, 180_000);
afterAll(async () => {
  await desk.mcp.close();
  await Promise.all([closeDatabase(), closeConnections()]);
  await postgres.stop("immediate");
  await Promise.all([folder, `${folder}.log`].map((place) => rm(place, { recursive: true, force: true })));
});

const query = <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) => queryOn<Row>(postgres.urls.admin, sql, values);

const text = (ms: number): string => new Date(ms).toISOString();

const ROUTER = { nodes: [{ id: "done", kind: "router" as const, config: {} }], edges: [], start_node: "done" };

const publishHourly = async (): Promise<{ readonly graphId: string; readonly first: number }> => {
  const trigger = triggerSchema.parse({
    id: "hourly",
    kind: "schedule",
    cron: "0 * * * *",
    missed: "run_once",
    inputs: { order: "event.at" },
  });
  const { graphId } = await publishOrders(world, [trigger], { change: ROUTER });

  return { graphId, first: await nextOf(graphId) };
};

const nextOf = async (graphId: string): Promise<number> => {
  const [row] = await query<{ next_at: Date }>("select next_at from graph_trigger where graph_id = $1", [graphId]);

  return row?.next_at.getTime() ?? 0;
};

/** Blocks writes of the table until its connection ends. */
const blockWrites = async (table: string): Promise<() => Promise<void>> => {
  const client = new pg.Client({ connectionString: postgres.urls.admin });
  // It is killed with its server.
  client.on("error", () => undefined);
  await client.connect();
  await client.query(`begin; lock table ${table} in share row exclusive mode`);

  return () =>
    vi.waitFor(async () => {
      const waiting = await query("select 1 from pg_locks where not granted and relation = $1::regclass", [table]);
      if (waiting.length === 0) throw new Error(`nothing waits to write ${table}`);
    }, PATIENCE);
};

test("a schedule survives kill -9 of every process and jumps of the clock without a lost or doubled run", async () => {
  const { graphId, first } = await publishHourly();
  const clockFile = path.join(installation.home, "clock");
  const preload = pathToFileURL(path.join(installation.home, "build", "clock.mjs"));
  preload.search = new URLSearchParams({ clock: clockFile, memory: os.devNull }).toString();
  const setClock = (ms: number) => writeFile(clockFile, String(ms - Date.now()));
  const start = () => startRunner(desk, { NODE_OPTIONS: `--import ${preload.href}` });
  let runner: RunnerProcess = await start();
  const killAll = async (): Promise<void> => {
    runner.kill("SIGKILL");
    await runner.ended;
    await postgres.stop("killed");
  };
  const startAll = async (): Promise<void> => {
    await postgres.start();
    // As if the dead runner's leases had run out.
    await query("update run set lease_until = null where lease_until is not null");
    runner = await start();
  };
  const served = async (): Promise<(string | null)[]> =>
    (
      await query<{ event_id: string; status: string }>(
        `select e.event_id, r.status from trigger_event e left join run r on r.id = e.run_id where e.graph_id = $1 order by e.event_id`,
        [graphId],
      )
    ).map(({ event_id: at, status }) => (status === "completed" ? at : null));
  const expected: number[] = [];
  const awaitServed = async (ms: number): Promise<void> => {
    expected.push(ms);
    await vi.waitFor(async () => expect(await served()).toEqual(expected.map(text)), PATIENCE);
  };

  for (const [index, table] of ["trigger_event", "run", "ledger_record"].entries()) {
    const awaitBlocked = await blockWrites(table);
    await setClock(first + index * HOUR_MS + 100);
    await awaitBlocked();
    await killAll();
    await startAll();
    await awaitServed(first + index * HOUR_MS);
  }

  const late = first + 6 * HOUR_MS;
  await killAll();
  await setClock(late + 10 * 60_000);
  await startAll();
  await awaitServed(late);

  await killAll();
  await setClock(first + 2 * HOUR_MS - 60_000);
  await startAll();
  await vi.waitFor(async () => expect(await nextOf(graphId)).toBe(first + 2 * HOUR_MS), PATIENCE);
  await setClock(first + 2 * HOUR_MS + 100);
  await vi.waitFor(async () => expect(await nextOf(graphId)).toBe(first + 3 * HOUR_MS), PATIENCE);
  await setClock(late + HOUR_MS + 100);
  await awaitServed(late + HOUR_MS);

  const runs = await query<{ starts: number }>(
    `select (select count(*)::int from ledger_record l where l.run_id = r.id and l.seq = 0) as starts from run r where r.graph_id = $1`,
    [graphId],
  );
  expect(runs).toEqual(expected.map(() => ({ starts: 1 })));
  expect((await listEvents(world, graphId)).every(({ status }) => status === "started")).toBe(true);
  expect(await listRefusals(world, graphId)).toEqual([]);
}, 300_000);
