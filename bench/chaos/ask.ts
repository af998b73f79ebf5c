/** Retries queries while the database is away. */
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

const AGAIN_MS = 200;
const PATIENCE_MS = 120_000;

export type Ask = (sql: string, values?: readonly unknown[]) => Promise<unknown[]>;

export type Asking = { readonly ask: Ask; readonly close: () => Promise<void> };

/** Others may be temporary. */
const isFinal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(?:2[2-8]|42|P0)/.test(error.code ?? "") && error.code !== "28000";

const again = async <T>(work: () => Promise<T>): Promise<T> => {
  const untilMs = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isFinal(error) || Date.now() > untilMs) throw error;
      await wait(AGAIN_MS);
    }
  }
};

/** Every statement must be repeatable. */
export const openAsking = (url: string, most: number): Asking => {
  const pool = new pg.Pool({
    connectionString: url,
    max: most,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    application_name: "chaos",
  });
  pool.on("error", () => undefined);

  return {
    ask: (sql, values = []) => again(async () => (await pool.query<pg.QueryResultRow>(sql, [...values])).rows),
    close: () => pool.end(),
  };
};
