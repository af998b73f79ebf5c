/** A single connection outside the pools: migrations, roles, starts and tests. */
import pg from "pg";

const connectTimeoutMs = 10_000;

/** Connects, runs `work` and always closes. @throws the database's error */
export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });

  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
