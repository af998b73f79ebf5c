import type { BenchServer } from "@/bench/server";

export type Written = {
  readonly wal: number;
  /** One per page touched after a checkpoint, so bounded. */
  readonly images: number;
  /** Row bytes. */
  readonly kept: number;
  readonly statements: number;
  readonly writes: number;
  /** Without images. */
  readonly kinds: Readonly<Record<string, number>>;
};

export const countStatements = async (server: BenchServer): Promise<void> => {
  await server.query(server.adminUrl, "create extension if not exists pg_stat_statements");
  await server.query(server.adminUrl, "create extension if not exists pg_walinspect");
  await server.query(server.adminUrl, "alter system set pg_stat_statements.track = 'top'");
  await server.query(server.adminUrl, "alter system set autovacuum = off");
  await server.query(server.adminUrl, "select pg_reload_conf()");
};

export const stopCounting = async (server: BenchServer): Promise<void> => {
  await server.query(server.adminUrl, "alter system set pg_stat_statements.track = 'none'");
  await server.query(server.adminUrl, "alter system reset autovacuum");
  await server.query(server.adminUrl, "select pg_reload_conf()");
};

const keptIn = async (server: BenchServer, url: string): Promise<number> => {
  const tables = await server.query<{ name: string }>(
    url,
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname <> all(array['pg_catalog', 'information_schema', 'pg_toast'])`,
  );
  if (tables.length === 0) return 0;
  const sums = tables.map(({ name }) => `select coalesce(sum(pg_column_size(t.*)), 0)::float8 as bytes from ${name} t`);
  const [row] = await server.query<{ bytes: number }>(url, `select sum(bytes) as bytes from (${sums.join(" union all ")}) each_table`);

  return row?.bytes ?? 0;
};

type Moment = { readonly lsn: string; readonly transactions: string };

const momentOf = async (server: BenchServer): Promise<Moment> => {
  const [moment] = await server.query<Moment>(
    server.adminUrl,
    "select pg_current_wal_insert_lsn()::text as lsn, pg_snapshot_xmax(pg_current_snapshot())::text as transactions",
  );
  if (!moment) throw new Error("the server does not say where its log is");

  return moment;
};

/** Nothing else may use the server. @param url database of the work */
export const writtenBy = async (server: BenchServer, url: string, work: () => Promise<void>): Promise<Written> => {
  await server.query(server.adminUrl, "checkpoint");
  await server.query(server.adminUrl, "select pg_stat_statements_reset()");
  const keptBefore = await keptIn(server, url);
  const before = await momentOf(server);
  await work();
  const after = await momentOf(server);
  const kinds = await server.query<{ kind: string; bytes: number; images: number }>(
    server.adminUrl,
    `select "resource_manager/record_type" as kind, record_size::float8 as bytes, fpi_size::float8 as images
     from pg_get_wal_stats($1::pg_lsn, pg_current_wal_flush_lsn(), true) where combined_size > 0`,
    [before.lsn],
  );
  const [calls] = await server.query<{ n: number }>(
    server.adminUrl,
    "select coalesce(sum(calls), 0)::int as n from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = $1",
    [new URL(url).pathname.slice(1)],
  );
  const [images, records] = [kinds.reduce((sum, kind) => sum + kind.images, 0), kinds.reduce((sum, kind) => sum + kind.bytes, 0)];

  return {
    wal: images + records,
    images,
    kept: (await keptIn(server, url)) - keptBefore,
    statements: calls?.n ?? 0,
    writes: Number(BigInt(after.transactions) - BigInt(before.transactions)),
    kinds: Object.fromEntries(kinds.map(({ kind, bytes }) => [kind, bytes])),
  };
};

export const eachStep = (longer: Written, shorter: Written, steps: number): Written => {
  const each = (pick: (written: Written) => number): number => (pick(longer) - pick(shorter)) / steps;
  const kinds = Object.keys(longer.kinds).map((kind) => [kind, each((written) => written.kinds[kind] ?? 0)] as const);

  return {
    wal: each(({ wal }) => wal),
    images: each(({ images }) => images),
    kept: each(({ kept }) => kept),
    statements: each(({ statements }) => statements),
    writes: each(({ writes }) => writes),
    kinds: Object.fromEntries(kinds),
  };
};
