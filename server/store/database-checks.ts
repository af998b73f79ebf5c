import { readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { createCheck, type Check } from "@/lib/checks";
import { withClient } from "@/server/db/connect";
import { detectPooling } from "@/server/db/pooler";
import { ROLES } from "@/server/db/roles";
import { queryRow, queryRows, type SqlClient } from "@/server/store/sql/rows";

const OLDEST_TESTED = 17;
const MOST_SKEW_MS = 2_000;

const versionRow = z.object({ version: z.string(), major: z.number() });

const checkVersion = async (client: SqlClient): Promise<{ readonly version: string; readonly checks: readonly Check[] }> => {
  const text = "select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major";
  const { version = "", major = 0 } = (await queryRow(client, versionRow, { text })) ?? {};

  return { version, checks: major < OLDEST_TESTED ? [createCheck("database_old", { version })] : [] };
};

const appliedRow = z.object({ name: z.string() });
const readableRow = z.object({ isReadable: z.boolean() });

/** Nothing where the role may not read the history. */
const checkMigrations = async (client: SqlClient, root: string): Promise<readonly Check[]> => {
  const may = "select coalesce(has_table_privilege(to_regclass('public._prisma_migrations'), 'select'), false) as \"isReadable\"";
  if ((await queryRow(client, readableRow, { text: may }))?.isReadable !== true) return [];
  const text =
    "select migration_name as name from public._prisma_migrations where finished_at is not null and rolled_back_at is null order by 1";
  const applied = (await queryRows(client, appliedRow, { text })).map(({ name }) => name);
  const entries = await readdir(path.join(root, "prisma", "migrations"), { withFileTypes: true });
  const known = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
  const missing = known.filter((name) => !applied.includes(name));
  const newest = applied.findLast((name) => !known.includes(name));

  return [
    ...(missing[0] === undefined ? [] : [createCheck("migrations_missing", { count: missing.length, first: missing[0] })]),
    ...(newest === undefined ? [] : [createCheck("migrations_newer", { newest })]),
  ];
};

const rightRow = z.object({ role: z.string(), right: z.string().nullable() });

const RIGHTS = `
select r.rolname as role, x.label as "right"
from pg_roles r
left join lateral (values
  (r.rolsuper, 'superuser'), (r.rolbypassrls, 'bypasses row-level security'), (r.rolcreaterole, 'creates roles'),
  (r.rolcreatedb, 'creates databases'), (r.rolreplication, 'replication'),
  (has_table_privilege(r.rolname, 'ledger_record', 'update'), 'updates records'),
  (has_table_privilege(r.rolname, 'ledger_record', 'delete, truncate'), 'deletes records'),
  (r.rolname = $2 and has_table_privilege(r.rolname, 'ledger_record', 'insert'), 'inserts records')
) as x (held, label) on x.held
where r.rolname = any ($1) order by 1, 2`;

const checkRoles = async (client: SqlClient): Promise<readonly Check[]> => {
  const roles = [ROLES.web, ROLES.runner];
  const rows = await queryRows(client, rightRow, { text: RIGHTS, values: [roles, ROLES.web] });

  return [
    ...roles.filter((role) => rows.every((row) => row.role !== role)).map((role) => createCheck("roles_missing", { role })),
    ...rows.flatMap(({ role, right }) => (right === null ? [] : [createCheck("roles_wide", { role, right })])),
  ];
};

const timeRow = z.object({ at: z.number() });

export const checkClock = async (client: SqlClient, now: () => number): Promise<Check> => {
  const before = now();
  const at = (await queryRow(client, timeRow, { text: "select (extract(epoch from clock_timestamp()) * 1000)::float8 as at" }))?.at ?? 0;
  const after = now();
  const skewMs = at < before ? at - before : Math.max(0, at - after);

  return Math.abs(skewMs) > MOST_SKEW_MS ? createCheck("clock_off", { seconds: Math.round(skewMs / 1_000) }) : createCheck("clock_ok");
};

const checkPooler = async (url: string): Promise<Check> => {
  const { mode, pooler } = await detectPooling(url);

  return mode === "transaction"
    ? createCheck("pooler_transaction", { pooler: pooler ?? "A pooler" })
    : createCheck("pooler_ok", { pooler: pooler === null ? "direct" : `${pooler} in session mode` });
};

const causeOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : null;

  return typeof code === "string" && /^[A-Z0-9_]{2,40}$/u.test(code) ? code : "no answer";
};

export const checkDatabase = async (url: string, root: string, now: () => number): Promise<readonly Check[]> => {
  try {
    return await withClient(url, async (client) => {
      const { version, checks } = await checkVersion(client);
      const found = [...checks, ...(await checkMigrations(client, root)), ...(await checkRoles(client))];

      return [
        ...(found.length === 0 ? [createCheck("database_ok", { version })] : found),
        await checkPooler(url),
        await checkClock(client, now),
      ];
    });
  } catch (error) {
    return [createCheck("database_unreachable", { cause: causeOf(error) }), createCheck("pooler_skipped"), createCheck("clock_skipped")];
  }
};
