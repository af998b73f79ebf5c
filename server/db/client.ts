/** Database connections of this process, opened on first use. Only server/store imports this. */
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Prisma, PrismaClient } from "@/server/db/generated/client";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";

type Connections = { url: string | null; prisma: PrismaClient | null; pool: pg.Pool | null; commits: pg.Pool | null };

/** On `globalThis` because a web bundler may load this module more than once, each with its own connections. */
const held = Symbol.for("countersign.database");

// A symbol property of globalThis has no declared type; only this reads or writes it.
const slot = globalThis as unknown as { [held]?: Connections };

const connections = (): Connections => (slot[held] ??= { url: null, prisma: null, pool: null, commits: null });

const databaseUrl = (): string => {
  const url = connections().url ?? readEnv().DATABASE_URL;

  if (url === undefined) throw new Error("DATABASE_URL is not set");

  return url;
};

/** Absorbs errors of a lent connection, which has no other listener; its next query fails anyway. */
const expectCuts = (client: pg.ClientBase): void => void client.on("error", () => undefined);

/** Prisma with this process's role. */
export const getDatabase = (): PrismaClient => {
  const open = connections();

  open.prisma ??= new PrismaClient({
    adapter: new PrismaPg({ connectionString: databaseUrl(), max: 10, connectionTimeoutMillis: 10_000, onConnect: expectCuts }),
  });

  return open.prisma;
};

const openPool = (options: pg.PoolConfig): pg.Pool => {
  const opened = new pg.Pool({
    connectionString: databaseUrl(),
    connectionTimeoutMillis: 10_000,
    // Detects silently vanished peers.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...options,
  });
  // A closed idle connection must not crash the process: the next query opens another.
  opened.on("error", (error) => log().warn({ code: error.name }, "an idle database connection was closed"));
  opened.on("connect", expectCuts);

  return opened;
};

/** Plain connections with the same role, for hot statements. */
export const getPool = (): pg.Pool => {
  const open = connections();
  open.pool ??= openPool({ max: 10 });

  return open.pool;
};

/** Concurrent commit statements; the second runs only beside a long one. */
export const MOST_COMMITS = 2;
/** Most take a few milliseconds, including the disk. */
export const LONG_COMMIT_MS = 20;
/** Waiting for locked rows is bounded near the time that a lease survives without renewal. */
const LOCK_WAIT_MS = 3_000;
/** After a timeout the outcome is unknown, and a lease holder must learn that in time. */
const COMMIT_TIMEOUT_MS = 10_000;

/** Dedicated connections for commits, so that other slow work never delays them. */
export const getCommitPool = (): pg.Pool => {
  const open = connections();
  open.commits ??= openPool({ max: MOST_COMMITS, query_timeout: COMMIT_TIMEOUT_MS, lock_timeout: LOCK_WAIT_MS });

  return open.commits;
};

export const closeDatabase = async (): Promise<void> => {
  const open = connections();
  const { prisma, pool: idle, commits: storing } = open;

  open.prisma = null;
  open.pool = null;
  open.commits = null;
  await Promise.all([prisma?.$disconnect(), idle?.end(), storing?.end()]);
};

/** Switches this process to another database or role. Tests only. */
export const useDatabase = async (url: string): Promise<void> => {
  const closed = closeDatabase();
  // Before any await: a timer could otherwise reopen, and keep, the old database.
  connections().url = url;
  await closed;
};

/** Prisma that runs each operation in its own transaction after setting the workspace. */
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

/**
 * Prisma limited to one workspace by row-level security. The setting ends with its transaction, so pooled connections never carry it over.
 */
export const scopeToWorkspace = (workspaceId: string) =>
  scopedBy(Prisma.sql`select set_config('countersign.workspace', ${workspaceId}, true)`);

/** Like `scoped`, for a session's workspace; none when it is unknown or revoked. */
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

/** Runs plain statements atomically. */
export const runTransaction = <T>(work: OnClient<T>): Promise<T> => between((client) => client.query("begin"), work);

/** Plans once for any values, for statements whose plan never depends on them. */
const GENERIC = "set local plan_cache_mode = force_generic_plan; ";

/**
 * Reads one workspace as a snapshot, under the same row-level security as `scoped`.
 * @param plan of prepared statements; `auto`: Postgres decides
 */
export const runRead = <T>(workspaceId: string, work: OnClient<T>, plan: "auto" | "generic" = "auto"): Promise<T> =>
  between(
    (client) =>
      client.query(
        `begin isolation level repeatable read read only; ${plan === "generic" ? GENERIC : ""}select set_config('countersign.workspace', ${client.escapeLiteral(workspaceId)}, true)`,
      ),
    work,
  );

/** The client inside an interactive transaction. */
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/** Runs statements of one workspace in one transaction, under the same row-level security as `scoped`. */
export const runInWorkspace = <T>(workspaceId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  getDatabase().$transaction(
    async (tx) => {
      await tx.$executeRaw`select set_config('countersign.workspace', ${workspaceId}, true)`;

      return work(tx);
    },
    // Prisma's default of 2 s to get a connection is too short on a busy machine.
    { maxWait: 10_000, timeout: 20_000 },
  );
