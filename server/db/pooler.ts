/** Poolers, found by their behaviour. */
import pg from "pg";
import { z } from "zod";
import { queryRow } from "@/server/store/sql/rows";

export type Pooling = {
  /** `transaction`: a session's next transaction may run on another connection. */
  readonly mode: "session" | "transaction";
  readonly pooler: "PgBouncer" | null;
};

const TIMEOUT_MS = 5_000;
/** A pooler hands out the newest or the oldest connection; both orders are tried. */
const ROUNDS = 4;

const pidRow = z.object({ pid: z.number() });

const pidOf = async (client: pg.Client): Promise<number | null> =>
  (await queryRow(client, pidRow, { text: "select pg_backend_pid() as pid" }))?.pid ?? null;

const isShared = async (one: pg.Client, other: pg.Client): Promise<boolean> => {
  const own = await pidOf(one);
  if ((await pidOf(other)) === own) return true;
  for (let round = 0; round < ROUNDS; round += 1) {
    await one.query("begin");
    const now = await pidOf(one);
    await other.query("begin");
    await pidOf(other);
    for (const client of round % 2 === 0 ? [one, other] : [other, one]) await client.query("commit");
    if (now !== own || (await pidOf(one)) !== own) return true;
  }

  return false;
};

const connect = async (url: string, options: pg.ClientConfig = {}): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS, ...options });
  client.on("error", () => undefined);
  await client.connect();

  return client;
};

/** Postgres accepts any setting with a dot; PgBouncer refuses it by name. */
const findPooler = async (url: string): Promise<Pooling["pooler"]> => {
  try {
    await (await connect(url, { options: "-c countersign.probe=1" })).end();

    return null;
  } catch (error) {
    return error instanceof Error && error.message.includes("unsupported startup parameter") ? "PgBouncer" : null;
  }
};

export const detectPooling = async (url: string): Promise<Pooling> => {
  const clients: pg.Client[] = [];
  const open = async (): Promise<pg.Client> => {
    const client = await connect(url);
    clients.push(client);

    return client;
  };
  try {
    const mode = (await isShared(await open(), await open())) ? "transaction" : "session";

    return { mode, pooler: await findPooler(url) };
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
};
