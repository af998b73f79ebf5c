import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listDueRuns } from "@/server/store/ledger/run-heads";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");

test("neither a long queue nor other commands delay a workspace's oldest starts", async () => {
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
  const due = (await listDueRuns(2)).map(({ runId }) => runId);

  expect(due.toSorted()).toEqual([...starts.slice(0, 2), late, cancel].toSorted());
});
