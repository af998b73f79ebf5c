import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { withClient } from "@/server/db/connect";
import { isReachable } from "@/bin/postgres/reachable";
import { inTemporaryFolder } from "@/bin/testing";
import { prepareDatabase } from "./database.ts";
import { startEmbedded } from "./embedded.ts";
import { ensureHome } from "./home.ts";
import { makeSetupLink } from "./setup-link.ts";

const never = new AbortController().signal;
const start = (home: string) => startEmbedded(home, never, () => undefined);

test("stops a server that a killed start left running, and keeps its data", () =>
  inTemporaryFolder(async (home) => {
    ensureHome(home);
    const left = await start(home);

    await withClient(left.adminUrl, (client) => client.query("create table kept (n int); insert into kept values (7)"));
    // As after kill -9 of a start.
    const next = await start(home);

    expect(left.cluster.process.exitCode).toBe(0);
    expect([left.made, next.made]).toEqual([true, false]);
    expect((await withClient(next.adminUrl, (client) => client.query("select n from kept"))).rows).toEqual([{ n: 7 }]);

    // If the machine goes down, only the file is left.
    next.cluster.process.kill("SIGKILL");
    await new Promise((resolve) => next.cluster.process.once("close", resolve));
    const last = await start(home);

    expect((await withClient(last.adminUrl, (client) => client.query("select n from kept"))).rows).toEqual([{ n: 7 }]);
    await last.cluster.stop();
  }));

test("replaces a half-made data directory from a kill during the first start", () =>
  inTemporaryFolder(async (home) => {
    ensureHome(home);
    fs.mkdirSync(path.join(home, "postgres.new"));
    fs.writeFileSync(path.join(home, "postgres.new", "PG_VERSION"), "18\n");
    const { cluster, made } = await start(home);

    expect(made).toBe(true);
    await cluster.stop();
  }));

test("prepares a database once, and renews the set-up link until an admin exists", () =>
  inTemporaryFolder(async (home) => {
    ensureHome(home);
    const { adminUrl, cluster } = await start(home);

    try {
      expect((await prepareDatabase(home, adminUrl)).applied.length).toBeGreaterThan(1);
      const { urls, applied } = await prepareDatabase(home, adminUrl);

      expect(applied).toEqual([]);
      for (const url of Object.values(urls)) expect((await withClient(url, (client) => client.query("select 1"))).rowCount).toBe(1);

      const first = await makeSetupLink(home, adminUrl, "http://localhost:3000");
      const second = await makeSetupLink(home, adminUrl, "http://localhost:3000");
      const file = path.join(home, "setup-link");
      const tokens = await withClient(adminUrl, (client) => client.query<{ hash: string }>("select hash from setup_token"));

      expect(second).toMatch(/^http:\/\/localhost:3000\/setup\?token=[\w-]{43}$/u);
      expect(second).not.toBe(first);
      expect(fs.readFileSync(file, "utf8").trim()).toBe(second);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      expect(tokens.rows).toHaveLength(1);
      expect(second).not.toContain(tokens.rows[0]?.hash ?? "-");

      await withClient(adminUrl, (client) =>
        client.query(`with w as (insert into workspace (id, name) values (gen_random_uuid(), 'Acme') returning id),
          u as (insert into app_user (id, email, name) values (gen_random_uuid(), 'a@acme.test', 'A') returning id)
          insert into membership (workspace_id, user_id, role) select w.id, u.id, 'admin' from w, u`),
      );
      expect(await makeSetupLink(home, adminUrl, "http://localhost:3000")).toBeNull();
      expect(fs.existsSync(file)).toBe(false);
    } finally {
      await cluster.stop();
    }
  }));

test("works with a database owner that may create roles but is not a superuser", () =>
  inTemporaryFolder(async (home) => {
    ensureHome(home);
    const { adminUrl, cluster } = await start(home);

    try {
      await withClient(adminUrl, (client) => client.query("create role owner_only login createrole password 'x'"));
      await withClient(adminUrl, (client) => client.query("create database theirs owner owner_only"));
      const url = new URL(adminUrl);

      url.username = "owner_only";
      url.password = "x";
      url.pathname = "/theirs";
      const { urls, applied } = await prepareDatabase(home, url.toString());

      expect(applied.length).toBeGreaterThan(1);
      await expect(withClient(urls.web, (client) => client.query("delete from run"))).rejects.toThrow(/permission denied/u);
    } finally {
      await cluster.stop();
    }
  }));

describe("a folder closed to the Postgres user", () => {
  const somebody = { uid: 65_534, gid: 65_534 };

  test("is detected at any depth, only when Postgres runs as another user", () =>
    inTemporaryFolder((folder) => {
      const closed = path.join(folder, "closed");

      fs.mkdirSync(closed, { mode: 0o700 });
      expect(isReachable(path.join(folder, "data"), somebody)).toBe(true);
      expect(isReachable(path.join(closed, "data"), somebody)).toBe(false);
      expect(isReachable(path.join(closed, "a", "b", "data"), somebody)).toBe(false);
      expect(isReachable(path.join(closed, "data"), null)).toBe(true);
    }));
});
