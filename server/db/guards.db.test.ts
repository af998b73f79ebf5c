import type pg from "pg";
import { PgBoss } from "pg-boss";
import { describe, expect, test } from "vitest";
import { withClient } from "@/server/db/connect";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase();

const as = (role: keyof typeof urls, sql: string): Promise<pg.QueryResult> => withClient(urls[role], (client) => client.query(sql));

const denied = /permission denied/u;

describe("insert-only tables", () => {
  const tables = ["ledger_record", "cell_tombstone", "trust_event", "graph_revision", "graph_version", "log_leaf", "checkpoint"];

  test.each(tables)("%s refuses change even to the administrator", async (table) => {
    await expect(as("admin", `update ${table} set workspace_id = workspace_id`)).rejects.toThrow(/insert-only: UPDATE refused/u);
    await expect(as("admin", `delete from ${table}`)).rejects.toThrow(/insert-only: DELETE refused/u);
    await expect(as("admin", `truncate ${table} cascade`)).rejects.toThrow(/insert-only: TRUNCATE refused/u);
  });

  // Rights on cells are checked per row.
  test("cell rejects change even by the administrator", async () => {
    await as(
      "admin",
      `insert into cell (workspace_id, run_id, seq, index, path, label, commitment, sealed, wrapped_key)
       values (gen_random_uuid(), gen_random_uuid(), 0, 0, 'a', '{}', '', '\\x01', '\\x01')`,
    );
    await expect(as("admin", "update cell set label = label")).rejects.toThrow(/insert-only: UPDATE refused/u);
    await expect(as("admin", "update cell set sealed = '', wrapped_key = ''")).rejects.toThrow(/insert-only: UPDATE refused/u);
    await expect(as("admin", "delete from cell")).rejects.toThrow(/insert-only: DELETE refused/u);
    await expect(as("admin", "truncate cell cascade")).rejects.toThrow(/insert-only: TRUNCATE refused/u);
  });
});

describe("the web role", () => {
  test.each([
    "run",
    "ledger_record",
    "cell",
    "log_leaf",
    "checkpoint",
    "approval",
    "key_hint",
    "trust_alarm",
    "mcp_server",
    "mcp_tool",
    "runner_heartbeat",
    "workspace",
    "app_user",
    "membership",
    "invite",
    "identity",
    "setup_token",
    "graph_version",
    "publish_request",
  ])("cannot write %s", async (table) => {
    await expect(as("web", `insert into ${table} default values`)).rejects.toThrow(denied);
    await expect(as("web", `delete from ${table}`)).rejects.toThrow(denied);
    await expect(as("web", `select 1 from ${table} for update`)).rejects.toThrow(denied);
  });

  test("can end a session, but not open, prove or rekey one", async () => {
    await expect(
      as("web", "insert into session (id, user_id, address, user_agent) values (gen_random_uuid(), gen_random_uuid(), '', '')"),
    ).rejects.toThrow(denied);
    for (const change of ["proved_at = now()", "public_key = ''", "user_id = id", "created_at = now()"]) {
      await expect(as("web", `update session set ${change}`)).rejects.toThrow(denied);
    }
    await expect(as("web", "delete from session")).rejects.toThrow(denied);
    await as("web", "update session set revoked_at = now()");
  });

  test("reads no password hash, only whether there is one", async () => {
    await expect(as("web", "select password_hash from app_user")).rejects.toThrow(denied);
    await expect(as("web", "select * from app_user")).rejects.toThrow(denied);
    await as("web", "select has_password from app_user");
  });

  test("can ask to sign in, but neither answer nor read other requests", async () => {
    await as("web", "insert into sign_in_request (id, body) values (gen_random_uuid(), 'sealed')");
    await expect(as("web", "select body from sign_in_request")).rejects.toThrow(denied);
    await expect(as("web", "update sign_in_request set answer = '{}'")).rejects.toThrow(denied);
    await expect(as("web", "delete from sign_in_request")).rejects.toThrow(denied);
    await expect(as("web", "insert into sign_in_request (id, body, status) values (gen_random_uuid(), '', 'done')")).rejects.toThrow(
      denied,
    );
  });

  test("cannot decide its own command", async () => {
    await expect(as("web", "update command set status = 'accepted'")).rejects.toThrow(denied);
  });
});

describe("the runner role", () => {
  test.each(["ledger_record", "cell", "log_leaf", "checkpoint"])("cannot change %s", async (table) => {
    await expect(as("runner", `update ${table} set workspace_id = workspace_id`)).rejects.toThrow(denied);
    await expect(as("runner", `delete from ${table}`)).rejects.toThrow(denied);
  });

  test("cannot change names, draw graphs or reword a command", async () => {
    await expect(as("runner", "update app_user set name = ''")).rejects.toThrow(denied);
    await expect(as("runner", "insert into graph_revision default values")).rejects.toThrow(denied);
    await expect(as("runner", "update command set body = ''")).rejects.toThrow(denied);
  });
});

describe("the customers role", () => {
  test("has only its own schema", async () => {
    await as("customers", "create table customers.probe (id int)");
    await expect(as("customers", "select 1 from public.app_user")).rejects.toThrow(denied);
    await expect(as("customers", "create table public.probe (id int)")).rejects.toThrow(denied);
    await expect(as("runner", "select 1 from customers.probe")).rejects.toThrow(denied);
    await expect(as("web", "select 1 from customers.probe")).rejects.toThrow(denied);
  });
});

test("the runner creates the job queue, which the web role cannot reach", async () => {
  const runner = new PgBoss({ connectionString: urls.runner, createSchema: false, supervise: false, schedule: false });

  await runner.start();
  await runner.createQueue("probe", { policy: "exclusive" });
  await runner.send("probe", { run: 1 }, { singletonKey: "a" });
  await expect(as("web", "select 1 from pgboss.job")).rejects.toThrow(denied);
  expect(await runner.fetch("probe")).toHaveLength(1);
  await runner.stop({ graceful: false });
});
