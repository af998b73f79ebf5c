/** Pools per role, since connections cost more than queries. */
import pg from "pg";

const pools = new Map<string, pg.Pool>();

const poolOf = (url: string): pg.Pool => {
  const known = pools.get(url);
  if (known) return known;
  const pool = new pg.Pool({ connectionString: url, max: 10, allowExitOnIdle: true });
  // Ended by the database or the test; the next query reconnects.
  pool.on("error", () => undefined);
  pools.set(url, pool);

  return pool;
};

/** Runs one statement, which must leave no session state. */
export const queryOn = async <T extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<T[]> =>
  (await poolOf(url).query<T>(sql, values)).rows;

/** Call before dropping the databases. */
export const closeConnections = async (): Promise<void> => {
  const open = [...pools.values()];
  pools.clear();
  await Promise.all(open.map((pool) => pool.end()));
};
