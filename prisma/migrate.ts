/** Migrations, offline, unlike the `prisma` command. */
import fs from "node:fs";
import path from "node:path";
import type pg from "pg";
import { withClient } from "../server/db/connect.ts";
import { withSchemaEngine } from "./schema-engine.ts";

const folder = import.meta.dirname;
const migrationsDir = path.join(folder, "migrations");
const schemaFile = path.join(folder, "schema.prisma");

/** The next migration is diffed from it. */
const migratedSchemaFile = path.join(migrationsDir, "schema.prisma");

const filters = { externalTables: [], externalEnums: [] };

const read = (file: string): string => fs.readFileSync(file, "utf8");

const migrationNames = (): string[] =>
  fs
    .readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();

const sqlOf = (name: string): string => read(path.join(migrationsDir, name, "migration.sql"));

const migrationsList = () => ({
  baseDir: migrationsDir,
  lockfile: { path: "./migration_lock.toml", content: read(path.join(migrationsDir, "migration_lock.toml")) },
  shadowDbInitScript: "",
  migrationDirectories: migrationNames().map((name) => ({
    path: name,
    migrationFile: { path: "migration.sql", content: { tag: "ok" as const, value: sqlOf(name) } },
  })),
});

/** Migrates to the newest schema. @returns migrations applied now */
export const applyMigrations = (adminUrl: string): Promise<readonly string[]> =>
  withClient(adminUrl, async (lock) => {
    // Machines that start at once take turns.
    await lock.query("select pg_advisory_lock(hashtext('countersign.migrate'))");
    if (await upToDate(lock)) return [];

    return withSchemaEngine(adminUrl, read(schemaFile), async (engine) => {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: migrationsList(), filters });

      return appliedMigrationNames;
    });
  });

/** Creates the schema in a disposable database, without the slow engine. The roles must exist. */
export const createSchema = (adminUrl: string): Promise<void> =>
  withClient(adminUrl, async (client) => {
    for (const name of migrationNames()) await client.query(sqlOf(name));
  });

/** Lists missing migrations; all if the role may not read the history. */
export const missingMigrations = async (client: pg.Client): Promise<readonly string[]> => {
  const known = await client.query<{ readable: boolean }>(
    "select coalesce(has_table_privilege(to_regclass('public._prisma_migrations'), 'select'), false) as readable",
  );

  if (known.rows[0]?.readable !== true) return migrationNames();
  const applied = await client.query<{ migration_name: string }>(
    "select migration_name from public._prisma_migrations where finished_at is not null and rolled_back_at is null",
  );
  const names = new Set(applied.rows.map((row) => row.migration_name));

  return migrationNames().filter((name) => !names.has(name));
};

/** Checks without loading the engine. */
const upToDate = async (client: pg.Client): Promise<boolean> => (await missingMigrations(client)).length === 0;

/** Returns whether every schema change has its migration. */
export const schemaIsMigrated = (): boolean => fs.existsSync(migratedSchemaFile) && read(migratedSchemaFile) === read(schemaFile);

/** Writes a migration. The engine requires a connection, but changes nothing there. @returns its name; null: no change */
export const makeMigration = async (label: string, anyDatabaseUrl: string): Promise<string | null> => {
  const schema = read(schemaFile);
  const known = fs.existsSync(migratedSchemaFile);
  const { stdout } = await withSchemaEngine(anyDatabaseUrl, schema, (engine) =>
    engine.diff({
      from: known ? { tag: "schemaDatamodel", files: [{ path: "migrated.prisma", content: read(migratedSchemaFile) }] } : { tag: "empty" },
      to: { tag: "schemaDatamodel", files: [{ path: "schema.prisma", content: schema }] },
      script: true,
      exitCode: null,
      filters,
    }),
  );

  if (stdout === null || stdout === "" || stdout.includes("This is an empty migration")) return null;
  const name = `${String(migrationNames().length + 1).padStart(4, "0")}_${label.replaceAll(/[^a-z0-9]+/gu, "_")}`;

  fs.mkdirSync(path.join(migrationsDir, name));
  fs.writeFileSync(path.join(migrationsDir, name, "migration.sql"), stdout);
  fs.copyFileSync(schemaFile, migratedSchemaFile);

  return name;
};
