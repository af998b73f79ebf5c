/** The database connections of this process, opened on first use. Only server/store imports this. */
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Prisma, PrismaClient } from "@/server/db/generated/client";
import { env } from "@/server/env";
import { log } from "@/server/log";

type Connections = { url: string | null; prisma: PrismaClient | null; pool: pg.Pool | null; commits: pg.Pool | null };

/** On `globalThis` because a web bundler may load this module more than once; each copy would open its own connections. */
const held = Symbol.for("countersign.database");

// A symbol property of globalThis has no declared type; this is the only place that reads or writes it.
const slot = globalThis as unknown as { [held]?: Connections };

const connections = (): Connections => (slot[held] ??= { url: null, prisma: null, pool: null, commits: null });

const databaseUrl = (): string => {
  const url = connections().url ?? env().DATABASE_URL;

  if (url === undefined) throw new Error("DATABASE_URL is not set");

  return url;
};

/** While a connection is lent, or on its way to who gets it, nobody else listens to its errors; its next query fails anyway. */
const expectCuts = (client: pg.ClientBase): void => void client.on("error", () => undefined);

/** Prisma on the role of this process. */
export const database = (): PrismaClient => {
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
    // A peer that vanished without a word is noticed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...options,
  });
  // An idle connection that the server closes must not end the process: the next query opens another.
  opened.on("error", (error) => log().warn({ code: error.name }, "an idle database connection was closed"));
  opened.on("connect", expectCuts);

  return opened;
};

/** Plain connections on the same role, for hot statements. */
export const pool = (): pg.Pool => {
  const open = connections();
  open.pool ??= openPool({ max: 10 });

  return open.pool;
};

/** Statements that store records, at once: the second only beside one that takes long. */
export const MOST_COMMITS = 2;
/** Most take a few milliseconds, with the disk. */
export const LONG_COMMIT_MS = 20;
/** A row that somebody else keeps locked is not waited for much longer than a lease may go without its renewal. */
const LOCK_WAIT_MS = 3_000;
/** Nobody knows then what was written, and who holds a lease must know in time. */
const COMMIT_TIMEOUT_MS = 10_000;

/** Connections that store records and do nothing else, so that whatever else is slow keeps nobody from committing. */
export const commits = (): pg.Pool => {
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

/** Points this process at another database or role. Tests only. */
export const useDatabase = async (url: string): Promise<void> => {
  const closed = closeDatabase();
  // Before any wait: a timer that asks for a connection meanwhile would open, and keep, one to the database of before.
  connections().url = url;
  await closed;
};

/** Prisma that runs every operation in a transaction of its own, after a statement that names the workspace. */
const scopedBy = (naming: Prisma.Sql) => {
  const client = database();

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
 * Prisma limited to one workspace by row-level security, whatever the query says. The setting ends with the transaction of
 * the operation, so a pooled connection never carries it to the next.
 */
export const scoped = (workspaceId: string) => scopedBy(Prisma.sql`select set_config('countersign.workspace', ${workspaceId}, true)`);

/** As `scoped`, to the workspace that a session works in; to none when it is unknown or revoked. */
export const scopedToSession = (sessionId: string) =>
  scopedBy(Prisma.sql`select set_config('countersign.workspace', coalesce(session_workspace(${sessionId}::uuid)::text, ''), true)`);

type OnClient<T> = (client: pg.PoolClient) => Promise<T>;

const between = async <T>(begin: OnClient<unknown>, work: OnClient<T>): Promise<T> => {
  const client = await pool().connect();
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

/** Plain statements that happen all or not at all. */
export const transaction = <T>(work: OnClient<T>): Promise<T> => between((client) => client.query("begin"), work);

/** Prepared statements are planned for any values, and once: for those whose plan is the same whatever is asked. */
const GENERIC = "set local plan_cache_mode = force_generic_plan; ";

/**
 * Plain statements that read one workspace at one moment, under the same row-level security as `scoped`.
 * @param plan how prepared ones are planned; `auto`: as Postgres thinks best each time
 */
export const reading = <T>(workspaceId: string, work: OnClient<T>, plan: "auto" | "generic" = "auto"): Promise<T> =>
  between(
    (client) =>
      client.query(
        `begin isolation level repeatable read read only; ${plan === "generic" ? GENERIC : ""}select set_config('countersign.workspace', ${client.escapeLiteral(workspaceId)}, true)`,
      ),
    work,
  );

/** The client inside an interactive transaction. */
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/** Several statements of one workspace in one transaction, under the same row-level security as `scoped`. */
export const inWorkspace = <T>(workspaceId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  database().$transaction(
    async (tx) => {
      await tx.$executeRaw`select set_config('countersign.workspace', ${workspaceId}, true)`;

      return work(tx);
    },
    // The default of 2 s to get a connection is less than a busy machine needs.
    { maxWait: 10_000, timeout: 20_000 },
  );
