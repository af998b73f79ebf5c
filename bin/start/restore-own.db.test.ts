/** As in docs/operating/backup.md. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryPostgres } from "@/bin/postgres/temporary";
import { inTemporaryFolder, readDrill } from "@/bin/testing";
import { withClient } from "@/server/db/connect";
import { ROOT } from "./settings.ts";

const block = readDrill("restore-own");

/** Replaces Postgres' client programs, with SQL dumps. */
const CLIENT = `
on() { "$NODE" -e 'const pg = require(process.argv[1]); const c = new pg.Client(process.argv[2]); c.connect().then(() => c.query(process.argv[3])).then(() => c.end(), (e) => { console.error(e.message); process.exit(1); })' "$ROOT/node_modules/pg" "$1" "$2"; }
createdb() { on "$SERVER_URL" "create database $3 owner $2"; }
dropdb() { on "$SERVER_URL" "drop database $1 with (force)"; }
pg_restore() { on "$3" "$(cat "$4")"; }
npm() { shift 2; if [ "\${1:-}" = -- ]; then shift; fi; "$NODE" "$ROOT/bin/set-up/main.ts" "$@"; }
`;

test(
  "the restore never touches an existing database, and succeeds once that one is renamed",
  () =>
    inTemporaryFolder(async (folder) => {
      const server = await temporaryPostgres();
      const named = (name: string, user?: string): string => {
        const url = new URL(server.adminUrl);
        url.pathname = `/${name}`;
        if (user !== undefined) [url.username, url.password] = [user, "secret"];

        return url.toString();
      };
      const onServer = (sql: string) => withClient(server.adminUrl, (client) => client.query(sql));
      const marks = (name: string) =>
        withClient(named(name), async (client) => (await client.query<{ mark: string }>("select mark from kept.mark")).rows);
      const restore = () =>
        spawnSync("bash", ["-c", `${CLIENT}\n${block}`], {
          cwd: folder,
          env: {
            NODE_ENV: "test",
            PATH: process.env["PATH"],
            HOME: folder,
            NODE: process.execPath,
            ROOT,
            BACKUP: folder,
            COUNTERSIGN_HOME: path.join(folder, ".countersign"),
            SERVER_URL: server.adminUrl,
            DATABASE_URL: named("countersign", "countersign_admin"),
            ROLES_URL: named("countersign_roles", "countersign_admin"),
          },
          encoding: "utf8",
        });
      try {
        fs.mkdirSync(path.join(folder, "keys"));
        spawnSync("tar", ["-cf", "keys.tar", "keys"], { cwd: folder });
        fs.writeFileSync(
          path.join(folder, "countersign.dump"),
          "create schema kept; create table kept.mark as select 'of the backup' as mark",
        );
        await onServer("create role countersign_admin login createrole password 'secret'");
        await onServer("create database countersign owner countersign_admin");
        await withClient(named("countersign"), (client) =>
          client.query("create schema kept; create table kept.mark as select 'alive' as mark"),
        );

        expect(restore().status).not.toBe(0);
        expect(await marks("countersign")).toEqual([{ mark: "alive" }]);
        expect(fs.existsSync(path.join(folder, ".countersign"))).toBe(false);

        await onServer("alter database countersign rename to countersign_lost");
        const second = restore();
        expect([second.status, second.stderr]).toEqual([0, ""]);
        expect(second.stdout).toContain("0 unfinished runs are held");
        expect([await marks("countersign_lost"), await marks("countersign")]).toEqual([[{ mark: "alive" }], [{ mark: "of the backup" }]]);
      } finally {
        await server.stop();
      }
    }),
  120_000,
);
