import { randomUUID } from "node:crypto";
import type pg from "pg";
import { describe, expect, test } from "vitest";
import { getDatabase, runInWorkspace, getPool, scopeToWorkspace } from "@/server/db/client";
import { withClient } from "@/server/db/connect";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");
const mine = randomUUID();
const theirs = randomUUID();

const as = (url: string, sql: string, values: readonly unknown[] = []): Promise<pg.QueryResult> =>
  withClient(url, (client) => client.query(sql, [...values]));

await as(urls.admin, "insert into agent (workspace_id, id, body) values ($1, 'parser', '{}'), ($2, 'parser', '{}')", [mine, theirs]);

describe("scoped", () => {
  test("sees only its own workspace, even when the query asks for all", async () => {
    expect(await scopeToWorkspace(mine).agent.findMany()).toHaveLength(1);
    expect(await scopeToWorkspace(mine).agent.findMany({ where: { workspaceId: theirs } })).toHaveLength(0);
  });

  test("leaves nothing behind on the pooled connection: without a scope the web role sees nothing", async () => {
    await scopeToWorkspace(mine).agent.findMany();
    const reads = await Promise.all(Array.from({ length: 20 }, () => getDatabase().agent.findMany()));

    expect(reads.flat()).toHaveLength(0);
  });

  test("cannot write into another workspace", async () => {
    await expect(scopeToWorkspace(mine).agent.create({ data: { workspaceId: theirs, id: "spy", body: {} } })).rejects.toThrow(
      /row-level security/u,
    );
    expect((await scopeToWorkspace(mine).agent.updateMany({ where: { workspaceId: theirs }, data: { revision: 9 } })).count).toBe(0);
  });

  test("holds for all statements of an interactive transaction", async () => {
    const counts = await runInWorkspace(mine, async (tx) => [
      await tx.agent.count(),
      await tx.agent.count({ where: { workspaceId: theirs } }),
    ]);

    expect(counts).toEqual([1, 0]);
  });

  test("rejects a malformed workspace id", async () => {
    await expect(scopeToWorkspace("' or true --").agent.findMany()).rejects.toThrow(/invalid input syntax for type uuid/u);
  });
});

test("the pool uses the same role", async () => {
  const { rows } = await getPool().query<{ who: string }>("select current_user as who");

  expect(rows).toEqual([{ who: "countersign_web" }]);
});

test("a lent connection that the server cuts does not crash the process, and the pool continues", async () => {
  const client = await getPool().connect();
  const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  await as(urls.admin, "select pg_terminate_backend($1)", [rows[0]?.pid]);
  await ended;
  await expect(client.query("select 1")).rejects.toThrow(/not queryable|Connection terminated/u);
  client.release();
  expect((await getPool().query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});
