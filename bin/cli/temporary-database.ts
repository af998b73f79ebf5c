import { randomBytes } from "node:crypto";
import type pg from "pg";
import { createSchema } from "../../prisma/migrate.ts";
import { withClient } from "../../server/db/connect.ts";
import { ROLES } from "../../server/db/roles.ts";
import { temporaryPostgres } from "../postgres/temporary.ts";

/** Creates roles that migrations grant to; an installation on the same server keeps its own. */
const ensureRoleNames = async (client: pg.Client): Promise<void> => {
  await client.query("select pg_advisory_lock(hashtext('countersign.roles'))");
  for (const role of Object.values(ROLES)) {
    const known = await client.query("select 1 from pg_roles where rolname = $1", [role]);
    const name = client.escapeIdentifier(role);

    if (known.rowCount !== 0) continue;
    await client.query(`create role ${name} nologin nosuperuser nocreatedb nocreaterole noreplication`);
    await client.query(`grant ${name} to current_user`);
  }
  await client.query("select pg_advisory_unlock(hashtext('countersign.roles'))");
};

/** Creates a migrated temporary database. @param serverUrl an administrator's; null: an embedded server */
export const throwAwayDatabase = async (serverUrl: string | null, defer: (undo: () => Promise<void>) => void): Promise<string> => {
  const starting = serverUrl === null ? temporaryPostgres() : Promise.resolve({ adminUrl: serverUrl, stop: async () => undefined });

  // Deferred first, so that an exit during the start also stops it.
  defer(async () => (await starting).stop());
  const server = await starting;
  const name = `countersign_run_${randomBytes(6).toString("hex")}`;
  const url = new URL(server.adminUrl);

  const creating = withClient(server.adminUrl, async (client) => {
    await ensureRoleNames(client);
    // template1 may be in use.
    await client.query(`create database ${name} template template0`);
  });

  if (serverUrl !== null) {
    defer(async () => {
      await creating.catch(() => undefined);
      await withClient(server.adminUrl, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      });
    });
  }
  await creating;
  url.pathname = `/${name}`;
  await createSchema(url.toString());

  return url.toString();
};
