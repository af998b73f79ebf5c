/** A migrated database of its own for one run of the command. */
import { randomBytes } from "node:crypto";
import type pg from "pg";
import { createSchema } from "../../prisma/migrate.ts";
import { withClient } from "../../server/db/connect.ts";
import { ROLES } from "../../server/db/roles.ts";
import { temporaryPostgres } from "../postgres/temporary.ts";

/** The migrations grant to the roles. Those of a real installation on the same server stay as they are, passwords included. */
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

/**
 * @param serverUrl an administrator's connection to a server that is there; null: a server of our own is started
 * @returns the connection string of its owner
 */
export const throwAwayDatabase = async (serverUrl: string | null, defer: (undo: () => Promise<void>) => void): Promise<string> => {
  const starting = serverUrl === null ? temporaryPostgres() : Promise.resolve({ adminUrl: serverUrl, stop: async () => undefined });

  // Before it is there, because ending the command while it starts must not leave it behind.
  defer(async () => (await starting).stop());
  const server = await starting;
  const name = `countersign_run_${randomBytes(6).toString("hex")}`;
  const url = new URL(server.adminUrl);

  const creating = withClient(server.adminUrl, async (client) => {
    await ensureRoleNames(client);
    // Not from template1, which may be in use.
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
