/** Database connections. Only server/store imports this. */
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Prisma, PrismaClient } from "@/server/db/generated/client";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";

type Connections = {
  url: string | null;
  prisma: PrismaClient | null;
  pool: pg.Pool | null;
  commits: pg.Pool | null;
  readonly lent: Set<pg.PoolClient>;
};

/** On `globalThis`: a web bundler may load this module twice. */
const held = Symbol.for("countersign.database");

// A symbol property of globalThis has no type; only this uses it.
const slot = globalThis as unknown as { [held]?: Connections };

const connections = (): Connections => (slot[held] ??= { url: null, prisma: null, pool: null, commits: null, lent: new Set() });

const databaseUrl = (): string => {
  const url = connections().url ?? readEnv().DATABASE_URL;

  if (url === undefined) throw new Error("DATABASE_URL is not set");

  return url;
};

/** A lent connection has no other listener; its next query fails anyway. */
const expectCuts = (client: pg.ClientBase): void => void client.on("error", () => undefined);

/** Prisma with this process's role. */
export const getDatabase = (): PrismaClient => {
  const open = connections();

  open.prisma ??= new PrismaClient({
    adapter: new PrismaPg({ connectionString: databaseUrl(), max: 10, connectionTimeoutMillis: 10_000, onConnect: expectCuts }),
  });

  return open.prisma;
};

/** A new connection plans each statement up to six times. */
const IDLE_MS = 30_000;

const openPool = (options: pg.PoolConfig): pg.Pool => {
  const opened = new pg.Pool({
    connectionString: databaseUrl(),
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: IDLE_MS,
    // Detects silently vanished peers.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...options,
  });
  // Idle closures must not crash the process.
  opened.on("error", (error) => log().warn({ code: error.name }, "an idle database connection was closed"));
  opened.on("connect", expectCuts);

  return opened;
};

/** Plain connections for hot statements. */
export const getPool = (): pg.Pool => {
  const open = connections();
  open.pool ??= openPool({ min: 2, max: 10 });

  return open.pool;
};

/** Lends a connection until it ends, or the database is closed. @throws Error if closed meanwhile */
export const lendConnection = async (): Promise<pg.PoolClient> => {
  const pool = getPool();
  const client = await pool.connect();
  if (connections().pool !== pool) {
    // A pool ends once each connection is back.
    client.release(true);
    throw new Error("the database was closed");
  }
  const { lent } = connections();
  lent.add(client);
  client.once("end", () => lent.delete(client));

  return client;
};

/** For plans independent of the values. */
const GENERIC = "plan_cache_mode=force_generic_plan";
/** Plans outlive small tables. */
const INDEXED = "enable_seqscan=off";
const PLANS = { auto: "", generic: `set local ${GENERIC}; `, indexed: `set local ${GENERIC}; set local ${INDEXED}; ` } as const;

/** The second runs beside a long one. */
export const MOST_COMMITS = 2;
/** Most take a few milliseconds. */
export const LONG_COMMIT_MS = 20;
/** About a lease's life without renewal. */
const LOCK_WAIT_MS = 3_000;
/** The outcome is then unknown; lease holders must learn it in time. */
const COMMIT_TIMEOUT_MS = 10_000;

/** Slow work never delays commits. */
export const getCommitPool = (): pg.Pool => {
  const open = connections();
  open.commits ??= openPool({
    max: MOST_COMMITS,
    query_timeout: COMMIT_TIMEOUT_MS,
    lock_timeout: LOCK_WAIT_MS,
    options: `-c ${GENERIC} -c ${INDEXED}`,
  });

  return open.commits;
};

export const closeDatabase = async (): Promise<void> => {
  const open = connections();
  const { prisma, pool: idle, commits: storing } = open;

  open.prisma = null;
  open.pool = null;
  open.commits = null;
  for (const client of open.lent) void client.end();
  await Promise.all([prisma?.$disconnect(), idle?.end(), storing?.end()]);
};

export const useDatabase = async (url: string): Promise<void> => {
  const closed = closeDatabase();
  // A timer could reopen, and keep, the old database.
  connections().url = url;
  await closed;
};

/** One transaction per operation. */
const scopedBy = (naming: Prisma.Sql) => {
  const client = getDatabase();

  return client.$extends({
    query: {
      $allModels: {
        async $allOperations({ args, query }) {
          const [, result] = await client.$transaction([client.$executeRaw(naming), query(args)]);

          return result;
        },
      },
    },
  });
};

/** Prisma under row-level security. The setting ends with its transaction: pooled connections never carry it over. */
export const scopeToWorkspace = (workspaceId: string) =>
  scopedBy(Prisma.sql`select set_config('countersign.workspace', ${workspaceId}, true)`);

/** None for an unknown or revoked session. */
export const scopedToSession = (sessionId: string) =>
  scopedBy(Prisma.sql`select set_config('countersign.workspace', coalesce(session_workspace(${sessionId}::uuid)::text, ''), true)`);

type OnClient<T> = (client: pg.PoolClient) => Promise<T>;

const between = async <T>(begin: OnClient<unknown>, work: OnClient<T>): Promise<T> => {
  const client = await getPool().connect();
  try {
    await begin(client);
    const result = await work(client);
    await client.query("commit");

    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
};

/** Runs statements atomically. */
export const runTransaction = <T>(work: OnClient<T>): Promise<T> => between((client) => client.query("begin"), work);

/** Runs prepared statements atomically, under row-level security. */
export const runInPlace = <T>(workspaceId: string, work: OnClient<T>): Promise<T> =>
  between((client) => client.query(`begin; select set_config('countersign.workspace', ${client.escapeLiteral(workspaceId)}, true)`), work);

/** Reads a snapshot under row-level security. @param plan `auto`: Postgres decides */
export const runRead = <T>(workspaceId: string, work: OnClient<T>, plan: keyof typeof PLANS = "auto"): Promise<T> =>
  between(
    (client) =>
      client.query(
        `begin isolation level repeatable read read only; ${PLANS[plan]}select set_config('countersign.workspace', ${client.escapeLiteral(workspaceId)}, true)`,
      ),
    work,
  );

export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/** Runs one transaction with this process's role. */
export const inTransaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  // 2 s are too short on a busy machine.
  getDatabase().$transaction(work, { maxWait: 10_000, timeout: 20_000 });

/** Runs one transaction under row-level security. */
export const runInWorkspace = <T>(workspaceId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  inTransaction(async (tx) => {
    await tx.$executeRaw`select set_config('countersign.workspace', ${workspaceId}, true)`;

    return work(tx);
  });
