import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import pg from "pg";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { startDispatcher } from "@/server/runner/dispatch";
import { openQueue, type RunJob, type RunQueue, type Target } from "@/server/runner/dispatch-queue";
import { startPump } from "@/server/runner/dispatch-pump";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { until } from "@/server/runner/testing/fleet";
import { emptyRun, recordedRun } from "@/server/runner/testing/recorded";
import { ask, drive, readRun } from "@/server/runner/testing/run";
import { listDueRuns, listQueuedStarts, holdBack, releaseLease, renewLeases, takeLease } from "@/server/store/ledger/run-heads";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);

  return () => desk.mcp.close();
}, 120_000);

const targets = (workspaceId: string, count: number): Target[] =>
  Array.from({ length: count }, () => ({ workspaceId, runId: randomUUID() }));

const opened = async (perWorkspace?: number): Promise<RunQueue> => {
  const queue = await openQueue(urls.runner, perWorkspace);
  onTestFinished(async () => {
    await query(urls.admin, "delete from pgboss.job");
    await queue.close();
  });

  return queue;
};

const takeAll = async (queue: RunQueue, count: number): Promise<readonly RunJob[]> => queue.take(count, []);

test("a run is queued once, and one that a person waits for goes first", async () => {
  const queue = await opened();
  const found = targets(randomUUID(), 5);
  await queue.send(found);
  await queue.send(found);
  const urgent = found[4];
  if (!urgent) throw new Error("no target");
  await queue.sendAsked(urgent);
  expect((await takeAll(queue, 1)).map(({ data }) => data.runId)).toEqual([urgent.runId]);
  expect(await takeAll(queue, 20)).toHaveLength(4);
});

test("two runners taking jobs concurrently respect a workspace's limit, repeatedly", async () => {
  const queues = [await opened(3), await opened(3)];
  const [crowded, other] = [randomUUID(), randomUUID()];
  await queues[0]?.send([...targets(crowded, 30), ...targets(other, 2)]);
  for (let round = 0; round < 5; round += 1) {
    const taken = (await Promise.all(queues.flatMap((queue) => [queue.take(4, []), queue.take(4, []), queue.take(4, [])]))).flat();
    const [row] = await query<{ n: number }>(
      urls.admin,
      "select count(*)::int as n from pgboss.job where state = 'active' and group_id = $1",
      [crowded],
    );
    expect(row?.n).toBe(3);
    for (const job of taken.filter(({ data }) => data.workspaceId === crowded)) await queues[0]?.finish(job);
  }
});

test("a workspace's long queue does not delay others: they get the next free place", async () => {
  const queue = await opened();
  const [crowded, late] = [randomUUID(), randomUUID()];
  const started: string[] = [];
  const ends: (() => void)[] = [];
  await queue.send(targets(crowded, 40));
  const pump = startPump(queue, { concurrency: 8, isLimited: false }, ({ data }) => {
    started.push(data.workspaceId);

    return new Promise((resolve) => ends.push(resolve));
  });
  pump.pull();
  await until("all places are taken", () => Promise.resolve(started.length === 8), 10_000);
  await queue.send(targets(late, 3));
  for (let freed = 0; freed < 3; freed += 1) {
    ends[freed]?.();
    await until("a place was given again", () => Promise.resolve(started.length === 9 + freed), 10_000);
  }
  pump.stop();
  ends.forEach((end) => end());
  await pump.idle();
  expect(started.slice(8)).toEqual([late, late, late]);
});

test("a dead runner's jobs return when its heartbeats stop, a live one's do not", async () => {
  const queue = await opened();
  await queue.send(targets(randomUUID(), 2));
  const [dead, alive] = await takeAll(queue, 2);
  if (!dead || !alive) throw new Error("no jobs");
  await query(urls.admin, "update pgboss.job set heartbeat_on = now() - interval '60 seconds' where id = any($1::uuid[])", [
    [dead.id, alive.id],
  ]);
  const look = async () => {
    await queue.touch([alive]);

    return (await takeAll(queue, 2))[0];
  };
  const again = await until("the job is there again", look, 60_000);
  expect(again.id).toBe(dead.id);
  expect(again.retryCount).toBe(1);
}, 90_000);

test("a run that the database cut off goes on without an attempt being counted", async () => {
  const runId = await recordedRun(desk);
  let cuts = 0;
  const cut = {
    ...desk.deps,
    publicKeys: async () => {
      cuts += 1;
      if (cuts <= 8) await new pg.Client({ host: "127.0.0.1", port: 1 }).connect();

      return desk.deps.publicKeys();
    },
  };
  const dispatcher = await startDispatcher(cut, urls.runner, { concurrency: 4 });
  onTestFinished(async () => {
    await dispatcher.close(0);
    await query(urls.admin, "delete from pgboss.job");
  });
  const status = async () => (await query<{ status: string }>(urls.admin, "select status from run where id = $1", [runId]))[0]?.status;
  await until("the run waits", async () => (await status()) === "waiting", 60_000);
  expect(cuts).toBeGreaterThan(8);
  expect(await query(urls.admin, "select 1 from pgboss.job where retry_count > 0 or name = 'drive-run-dead'")).toEqual([]);
}, 90_000);

test("a failing run is retried with back-off, becomes a dead letter, and is retried later", async () => {
  const runId = await recordedRun(desk);
  let failures = 0;
  const broken = {
    ...desk.deps,
    publicKeys: () => {
      failures += 1;

      return Promise.reject(new Error("the disk is full"));
    },
  };
  const dispatcher = await startDispatcher(broken, urls.runner, { concurrency: 4 });
  onTestFinished(async () => {
    await dispatcher.close(0);
    await query(urls.admin, "delete from pgboss.job");
  });
  const hurry = "update pgboss.job set start_after = now() where state = 'retry' and start_after > now() returning id";
  await until(
    "its job is among the dead letters",
    async () => {
      await query(urls.admin, hurry);

      return (await query(urls.admin, "select 1 from pgboss.job where name = 'drive-run-dead'")).length > 0;
    },
    60_000,
  );
  const [letter] = await query<{ data: Target; source_output: { message: string } }>(
    urls.admin,
    "select data, source_output from pgboss.job where name = 'drive-run-dead'",
  );
  expect(letter?.data.runId).toBe(runId);
  expect(letter?.source_output.message).toContain("the disk is full");
  expect(failures).toBe(6);
  const [row] = await query<{ rests: number }>(
    urls.admin,
    "select extract(epoch from drive_after - now())::float8 as rests from run where id = $1",
    [runId],
  );
  expect(row?.rests).toBeGreaterThan(500);
  expect((await listDueRuns(200)).map((due) => due.runId)).not.toContain(runId);
  await query(urls.admin, "update run set drive_after = now() where id = $1", [runId]);
  await until("it is tried again", () => Promise.resolve(failures > 6), 10_000);
}, 120_000);

test("a start under way is not queued again before its run is leased", async () => {
  const admin = new pg.Client({ connectionString: urls.admin });
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query("begin; lock table run in exclusive mode");
  const dispatcher = await startDispatcher(desk.deps, urls.runner, { concurrency: 4 });
  onTestFinished(async () => {
    await dispatcher.close(0);
    await query(urls.admin, "delete from pgboss.job");
  });
  const jobsOf = async (runId: string): Promise<number> => {
    const [row] = await query<{ n: number }>(urls.admin, "select count(*)::int as n from pgboss.job where data->>'runId' = $1", [runId]);

    return row?.n ?? 0;
  };
  const first = await startRun(desk, "honest", "02-outage-credit.txt");
  await until("it is under way", async () => (await jobsOf(first)) > 0, 10_000);
  const second = await startRun(desk, "honest", "02-outage-credit.txt");
  await until("a later look found the next", async () => (await jobsOf(second)) > 0, 10_000);
  expect(await jobsOf(first)).toBe(1);
  await admin.query("commit");
}, 60_000);

test("starts whose runs cannot be stored delay no others, and go on once they can", async () => {
  const send = () => startRun(desk, "honest", "02-outage-credit.txt");
  const broken = await Promise.all(Array.from({ length: 4 * availableParallelism() + 1 }, send));
  const sound = await send();
  await query(
    urls.admin,
    `create function refuse_run() returns trigger language plpgsql as $$ begin
       if new.id = any ('{${broken.join(",")}}'::uuid[]) then raise exception 'the disk is full'; end if;
       return new;
     end $$;
     create trigger refuse_run before insert on run for each row execute function refuse_run()`,
  );
  const dispatcher = await startDispatcher(desk.deps, urls.runner, { concurrency: 4 });
  onTestFinished(async () => {
    await dispatcher.close(0);
    await query(urls.admin, "delete from pgboss.job; drop function if exists refuse_run cascade");
  });
  const stored = (runIds: readonly string[]) => query(urls.admin, "select 1 from run where id = any ($1::uuid[])", [runIds]);
  await until("the sound one is stored", async () => (await stored([sound])).length === 1, 20_000);
  expect(await stored(broken)).toEqual([]);
  await query(urls.admin, "drop function refuse_run cascade");
  await until("so are the others", async () => (await stored(broken)).length === broken.length, 30_000);
}, 60_000);

test("a start that the database cuts off rests a second each time, and then goes on", async () => {
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  // Sequences outlive transactions.
  await query(
    urls.admin,
    `create sequence cuts; grant usage on sequence cuts to public;
     create function cut_run() returns trigger language plpgsql as $$ begin
       if new.id = '${runId}' and nextval('cuts') <= 2 then raise exception 'it restarts' using errcode = '57P01'; end if;
       return new;
     end $$;
     create trigger cut_run before insert on run for each row execute function cut_run()`,
  );
  const beganAtMs = performance.now();
  const dispatcher = await startDispatcher(desk.deps, urls.runner, { concurrency: 4 });
  onTestFinished(async () => {
    await dispatcher.close(0);
    await query(urls.admin, "delete from pgboss.job; drop function cut_run cascade; drop sequence cuts");
  });
  await until("it is stored", async () => (await query(urls.admin, "select 1 from run where id = $1", [runId])).length === 1, 30_000);
  expect(performance.now() - beganAtMs).toBeGreaterThan(2_000);
  expect(await query(urls.admin, "select 1 from pgboss.job where retry_count > 0 or name = 'drive-run-dead'")).toEqual([]);
}, 60_000);

test("starts are looked for in each workspace, however many another has", async () => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  const [crowded, late] = [randomUUID(), randomUUID()];
  onTestFinished(async () => {
    await query(urls.admin, "delete from command where run_id = $1 or workspace_id = any ($2::uuid[])", [run, [crowded, late]]);
  });
  await query(urls.admin, "insert into workspace (id, name) values ($1, 'Crowded'), ($2, 'Late')", [crowded, late]);
  for (const workspaceId of [crowded, crowded, late])
    await query(
      urls.admin,
      `insert into command (workspace_id, id, run_id, user_id, kind, body)
       select $1, $2, $2, user_id, kind, body from command where run_id = $3`,
      [workspaceId, randomUUID(), run],
    );
  const listed = (await listQueuedStarts(1, [])).map(({ workspaceId }) => workspaceId);
  expect(listed.filter((one) => one === crowded || one === late).toSorted()).toEqual([crowded, late].toSorted((x, y) => (x < y ? -1 : 1)));
});

test("a held-back run resumes as soon as possible and is not held back again", async () => {
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, runId);
  await holdBack(desk.workspace, runId, 600_000);
  expect(await ask(desk, runId, desk.people.starter, { kind: "cancel", reason: "No." })).toMatchObject({ refusal: null });
  const [row] = await query<{ drive_after: Date | null }>(urls.admin, "select drive_after from run where id = $1", [runId]);
  expect(row?.drive_after).toBeNull();
  expect((await readRun(desk, runId)).state.status).toBe("cancelled");
});

test("a run that just failed is not found during its rest, whether working, due or asked", async () => {
  const [working, due, asked] = [await emptyRun(desk), await emptyRun(desk), await emptyRun(desk)];
  await query(urls.admin, "update run set status = 'running' where id = $1", [working]);
  await query(urls.admin, "update run set status = 'retrying', wake_at = now() - interval '1 second' where id = $1", [due]);
  const id = await command(desk, asked, desk.people.starter, { kind: "cancel" });
  const all = [working, due, asked].toSorted();
  const found = async () => (await listDueRuns(200)).map(({ runId }) => runId).filter((runId) => all.includes(runId));
  expect((await found()).toSorted()).toEqual(all);
  for (const runId of all) await holdBack(desk.workspace, runId, 60_000);
  expect(await found()).toEqual([]);
  for (const runId of all) await holdBack(desk.workspace, runId, -1_000);
  expect((await found()).toSorted()).toEqual(all);
  await query(urls.admin, "update run set status = 'cancelled' where id = any($1::uuid[])", [all]);
  await query(urls.admin, "delete from command where id = $1", [id]);
});

test("one statement renews held jobs, reports missing ones, skips locked ones, and revives none", async () => {
  const [held, lost, busy, back] = [await emptyRun(desk), await emptyRun(desk), await emptyRun(desk), await emptyRun(desk)];
  const lease = async (runId: string) => {
    const head = await takeLease(desk.workspace, runId, 5_000);

    return { runId, epoch: head?.leaseEpoch ?? -1, leaseMs: 60_000 };
  };
  const leases = [await lease(held), await lease(lost), await lease(busy), await lease(back)];
  await query(urls.admin, "update run set lease_epoch = lease_epoch + 1 where id = $1", [lost]);
  await releaseLease(desk.workspace, back, leases[3]?.epoch ?? -1);
  const writer = new pg.Client({ connectionString: urls.admin });
  await writer.connect();
  await writer.query("begin");
  await writer.query("select 1 from run where id = $1 for update", [busy]);
  const answer = await renewLeases(leases);
  await writer.query("rollback");
  await writer.end();
  expect([...answer.renewed]).toEqual([`${held} 1`]);
  expect([...answer.skipped]).toEqual([`${busy} 1`]);
  const [row] = await query<{ lease_until: Date | null }>(urls.admin, "select lease_until from run where id = $1", [back]);
  expect(row?.lease_until).toBeNull();
});

test("a command for a missing run is answered by the runner that heard it", async () => {
  const dispatcher = await startDispatcher(desk.deps, urls.runner, { concurrency: 4 });
  onTestFinished(() => dispatcher.close(0));
  const id = await command(desk, randomUUID(), desk.people.viewer, { kind: "cancel", reason: "No." });
  const status = await until(
    "it is answered",
    async () =>
      (await query<{ status: string }>(urls.admin, "select status from command where id = $1 and status <> 'pending'", [id]))[0]?.status,
    15_000,
  );
  expect(status).toBe("refused");
});
