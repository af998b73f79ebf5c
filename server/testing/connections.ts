/** Connections of a test file beside those of the product: one pool for each role, since a connection costs more than what is asked. */
import pg from "pg";

const pools = new Map<string, pg.Pool>();

const poolOf = (url: string): pg.Pool => {
  const known = pools.get(url);
  if (known) return known;
  const pool = new pg.Pool({ connectionString: url, max: 10, allowExitOnIdle: true });
  // An idle connection ends with its database, or is ended by what is tested; the next query opens another.
  pool.on("error", () => undefined);
  pools.set(url, pool);

  return pool;
};

/** Runs one statement on any of the connections: it must leave nothing behind in its session. */
export const queryOn = async <T extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<T[]> =>
  (await poolOf(url).query<T>(sql, values)).rows;

/** Called before the databases of the file are dropped. */
export const closeConnections = async (): Promise<void> => {
  const open = [...pools.values()];
  pools.clear();
  await Promise.all(open.map((pool) => pool.end()));
};
