/** Only a drive's dispatcher hears of commands in time. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { startDispatcher } from "@/server/runner/dispatch";
import { openQueue } from "@/server/runner/dispatch-queue";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { allAre, until } from "@/server/runner/testing/fleet";
import { withClient } from "@/server/db/connect";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);

  return () => desk.mcp.close();
}, 120_000);

const LISTENER =
  "query like 'listen countersign_command%' and usename = 'countersign_runner' and state = 'idle' and datname = current_database()";
const listeners = () => query<{ pid: number }>(urls.admin, `select pid from pg_stat_activity where ${LISTENER}`);
const statusOf = async (id: string): Promise<string | undefined> =>
  (await query<{ status: string }>(urls.admin, "select status from command where id = $1", [id]))[0]?.status;

const drivenForEver = async (): Promise<string> => {
  let asked = 0;
  const modelsFor: Desk["deps"]["modelsFor"] = async (workspace) => ({
    ...(await desk.deps.modelsFor(workspace)),
    generate: (_request, signal) => {
      asked += 1;

      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("The attempt is over."))));
    },
  });
  const dispatcher = await startDispatcher({ ...desk.deps, modelsFor }, urls.runner, { concurrency: 4 });
  onTestFinished(async () => {
    await dispatcher.close(0);
    await query(urls.admin, "delete from pgboss.job");
  });
  await until("the dispatcher listens", async () => (await listeners()).length === 1, 10_000);
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  await until("the model is asked", () => Promise.resolve(asked === 1), 20_000);

  return runId;
};

test("a command missed by the listener reaches the driver once the listener reconnects", async () => {
  const runId = await drivenForEver();
  // As for a disconnected listener.
  const asked = await command(desk, runId, desk.people.starter, { kind: "cancel" });
  const [listener] = await listeners();
  await query(urls.admin, "select pg_terminate_backend($1)", [listener?.pid]);
  await allAre(desk, [runId], "cancelled", 10_000);
  expect(await statusOf(asked)).toBe("accepted");
});

test("a command heard during a failing drive is retried at once, not with the failure's delay", async () => {
  const runId = await drivenForEver();
  await query(urls.admin, "revoke insert on ledger_record from countersign_runner");
  const asked = await command(desk, runId, desk.people.starter, { kind: "cancel" });
  await query(urls.admin, "select pg_notify('countersign_command', $1)", [`${desk.workspace} ${runId}`]);
  const jobs = (what: string) =>
    query(urls.admin, `select 1 from pgboss.job where name = 'drive-run' and data ->> 'runId' = $1 and ${what}`, [runId]);
  try {
    await until(
      "the drive failed",
      async () => (await jobs("priority = 0 and retry_count + (state = 'retry')::int > 0")).length > 0,
      10_000,
    );
    // Sweep finds have no priority.
    await until("a runner looks again", async () => (await jobs("priority > 0")).length > 0, 10_000);
  } finally {
    await query(urls.admin, "grant insert on ledger_record to countersign_runner");
  }
  await allAre(desk, [runId], "cancelled", 20_000);
  expect(await statusOf(asked)).toBe("accepted");
});

test("commands heard by a stopping runner get their job before the queue closes", async () => {
  const target = { workspaceId: desk.workspace, runId: randomUUID() };
  const queue = await openQueue(urls.runner, undefined);
  await queue.send([target]);
  await queue.close();
  // Left untaken, so that its urgency can be raised.
  await query(urls.admin, "update pgboss.job set start_after = now() + interval '1 hour' where data ->> 'runId' = $1", [target.runId]);
  const dispatcher = await startDispatcher(desk.deps, urls.runner, { concurrency: 1 });
  await until("the dispatcher listens", async () => (await listeners()).length === 1, 10_000);
  const closed = await withClient(urls.admin, async (client) => {
    await client.query("begin");
    await client.query("lock table pgboss.job in share row exclusive mode");
    await query(urls.admin, "select pg_notify('countersign_command', $1)", [`${target.workspaceId} ${target.runId}`]);
    const blocked = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%insert into pgboss.job%'";
    await until("its job waits to be queued", async () => (await query(urls.admin, blocked)).length > 0, 10_000);
    const closing = dispatcher.close(0);
    await until("no connection listens", async () => (await listeners()).length === 0, 10_000);
    await client.query("commit");

    return closing;
  });
  expect(closed).toBeUndefined();
  const [job] = await query<{ priority: number }>(urls.admin, "select priority from pgboss.job where data ->> 'runId' = $1", [
    target.runId,
  ]);
  expect(job?.priority).toBeGreaterThan(0);
});
