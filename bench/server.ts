/** Embedded, fully durable, discarded afterwards. */
import { randomBytes } from "node:crypto";
import type pg from "pg";
import { temporaryPostgres } from "@/bin/postgres/temporary";
import { createSchema } from "@/prisma/migrate";
import { withClient } from "@/server/db/connect";
import { ensureRoles, urlOf } from "@/server/db/roles";

/** Production-like. Sections enable statement counting. */
const SETTINGS = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  wal_level: "replica",
  max_connections: "200",
  shared_buffers: "512MB",
  max_wal_size: "4GB",
  shared_preload_libraries: "pg_stat_statements",
} as const;

const SHOWN = ["fsync", "synchronous_commit", "full_page_writes", "wal_level", "wal_sync_method", "shared_buffers", "max_wal_size"];

export type Migrated = { readonly admin: string; readonly web: string; readonly runner: string; readonly customers: string };

export type BenchServer = {
  readonly adminUrl: string;
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
  /** @returns the administrator's connection string */
  database(): Promise<string>;
  migrated(): Promise<Migrated>;
  query<Row extends pg.QueryResultRow>(url: string, sql: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
};

/** @param change by setting */
export const startServer = async (change: Readonly<Record<string, string>> = {}): Promise<BenchServer> => {
  const server = await temporaryPostgres({ ...SETTINGS, ...change });
  const passwords = { web: secret(), runner: secret(), customers: secret() };
  const query = <Row extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> =>
    withClient(url, async (client) => (await client.query<Row>(sql, values)).rows);
  const database = async (): Promise<string> => {
    const name = `bench_${randomBytes(6).toString("hex")}`;
    await query(server.adminUrl, `create database ${name}`);
    const url = new URL(server.adminUrl);
    url.pathname = `/${name}`;

    return url.toString();
  };
  // A start setting could not change at run time.
  await query(server.adminUrl, "alter system set pg_stat_statements.track = 'none'");
  await query(server.adminUrl, "select pg_reload_conf()");
  const [version] = await query<{ server_version: string }>(server.adminUrl, "show server_version");
  const shown = await query<{ name: string; setting: string; unit: string | null }>(
    server.adminUrl,
    "select name, setting, unit from pg_settings where name = any($1)",
    [SHOWN],
  );

  return {
    adminUrl: server.adminUrl,
    version: version?.server_version ?? "unknown",
    settings: Object.fromEntries(shown.map(({ name, setting, unit }) => [name, unit === null ? setting : `${setting} x ${unit}`])),
    database,
    migrated: async () => {
      await ensureRoles(server.adminUrl, passwords);
      const admin = await database();
      await createSchema(admin);

      return {
        admin,
        web: urlOf(admin, "web", passwords),
        runner: urlOf(admin, "runner", passwords),
        customers: urlOf(admin, "customers", passwords),
      };
    },
    query,
    stop: () => server.stop(),
  };
};

const secret = (): string => randomBytes(16).toString("hex");
