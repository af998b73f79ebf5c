import pg from "pg";

const connectTimeoutMs = 10_000;

/** Runs `work` outside the pools. @throws the database's error */
export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });

  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
