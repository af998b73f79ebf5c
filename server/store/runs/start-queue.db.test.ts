import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { useWithQueued } from "@/server/store/agents/token-use";
import { listDueRuns, listQueuedStarts } from "@/server/store/ledger/run-heads";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");

test("a workspace's oldest starts are listed whatever others queue: leased ones count, held-back ones give way", async () => {
  const [long, short] = [randomUUID(), randomUUID()];
  for (const id of [long, short]) await queryOn(urls.admin, "insert into workspace (id, name) values ($1, 'One')", [id]);
  const send = async (workspace: string, kind: string, secondsAgo: number): Promise<string> => {
    const run = randomUUID();
    await queryOn(
      urls.admin,
      `insert into command (workspace_id, id, run_id, token_id, kind, body, created_at)
       values ($1, gen_random_uuid(), $2, gen_random_uuid(), $3, '', now() - make_interval(secs => $4))`,
      [workspace, run, kind, secondsAgo],
    );

    return run;
  };
  const starts: string[] = [];
  for (let age = 5; age > 0; age -= 1) starts.push(await send(long, "start", age));
  const late = await send(short, "start", 0);
  const cancel = await send(long, "cancel", 0);
  const [first = "", second = "", third = ""] = starts;
  const list = async (except: string[] = []) =>
    (await listQueuedStarts(2, except)).map(({ runId, isLeased }) => (isLeased ? `leased ${runId}` : runId)).toSorted();
  const addRun = (id: string, column: "lease_until" | "drive_after") =>
    queryOn(
      urls.admin,
      `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at, ${column})
       values ($1, $2, gen_random_uuid(), '', gen_random_uuid(), 'pending', 0, '', now(), now(), now() + interval '1 hour')`,
      [long, id],
    );

  expect(await list()).toEqual([first, second, late].toSorted());
  expect(await list([first, late])).toEqual([second, third].toSorted());
  expect((await listDueRuns(2)).map(({ runId }) => runId)).toEqual([cancel]);
  await addRun(first, "lease_until");
  expect(await list()).toEqual([`leased ${first}`, second, late].toSorted());
  await addRun(second, "drive_after");
  expect(await list()).toEqual([`leased ${first}`, third, late].toSorted());
});

test("a token's undecided starts count as its runs", async () => {
  const [workspace, token, other] = [randomUUID(), randomUUID(), randomUUID()];
  await queryOn(urls.admin, "insert into workspace (id, name) values ($1, 'One')", [workspace]);
  for (const status of ["pending", "pending", "refused"]) {
    await queryOn(
      urls.admin,
      `insert into command (workspace_id, id, run_id, token_id, kind, body, status)
       values ($1, gen_random_uuid(), gen_random_uuid(), $2, 'start', '', $3)`,
      [workspace, token, status],
    );
  }

  expect(await Promise.all([token, other].map((id) => useWithQueued(workspace, id)))).toEqual([
    { runs: 2, sessions: 0, micro_usd: 0 },
    { runs: 0, sessions: 0, micro_usd: 0 },
  ]);
});
