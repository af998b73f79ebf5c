import { expect, inject, test } from "vitest";
import { withClient } from "@/server/db/connect";
import { testDatabase } from "@/server/testing/database";
import { createSchema } from "./migrate.ts";

const urls = await testDatabase("admin");

/** Everything that migrations create beyond the engine's part. */
const CATALOG = [
  `select table_schema, table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
   where table_schema in ('public', 'customers') and table_name <> '_prisma_migrations' order by 1, 2, 3`,
  `select grantee, table_schema, table_name, privilege_type from information_schema.role_table_grants
   where table_schema in ('public', 'customers') and table_name <> '_prisma_migrations' order by 1, 2, 3, 4`,
  `select grantee, table_name, column_name, privilege_type from information_schema.role_column_grants
   where table_schema in ('public', 'customers') and table_name <> '_prisma_migrations' order by 1, 2, 3, 4`,
  "select schemaname, tablename, policyname, roles::text, cmd, qual, with_check from pg_policies order by 1, 2, 3",
  `select tgrelid::regclass::text as of, tgname, pg_get_triggerdef(oid) as is from pg_trigger where not tgisinternal order by 1, 2`,
  `select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as is from pg_constraint
   where connamespace in ('public'::regnamespace, 'customers'::regnamespace) and conrelid::regclass::text <> '_prisma_migrations' order by 1, 2`,
  `select tablename, indexname, indexdef from pg_indexes
   where schemaname in ('public', 'customers') and tablename <> '_prisma_migrations' order by 1, 2`,
  `select oid::regprocedure::text as name, prosrc from pg_proc where pronamespace in ('public'::regnamespace, 'customers'::regnamespace) order by 1`,
];

const catalogOf = (url: string): Promise<unknown[][]> =>
  withClient(url, async (client) => {
    const parts: unknown[][] = [];
    for (const sql of CATALOG) parts.push((await client.query(sql)).rows);

    return parts;
  });

test("a disposable database has the same schema, rights and guards as a permanent one", async () => {
  const { adminUrl } = inject("testServer");
  const name = `countersign_made_${process.pid}`;
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await withClient(adminUrl, async (client) => {
    await client.query(`create database ${name} template template0`);
  });
  try {
    await createSchema(url.toString());
    const made = await catalogOf(url.toString());
    expect(made.every((part) => part.length > 0)).toBe(true);
    expect(made).toEqual(await catalogOf(urls.admin));
  } finally {
    await withClient(adminUrl, async (client) => {
      await client.query(`drop database ${name} with (force)`);
    });
  }
});
