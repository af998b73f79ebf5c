/** Runs as lists and pages show them. Reads only: the runner's one write path is in ledger.ts. */
import { runStatusSchema, type RunStatus } from "@/lib/engine/event";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";
import { inWorkspace, scoped, type Transaction } from "@/server/db/client";

export type RunRow = {
  readonly id: string;
  readonly graphId: string;
  readonly graphHash: HexDigest;
  readonly graphName: string;
  /** Of the published version; null when the version is gone. */
  readonly versionNumber: number | null;
  readonly initiatorId: string;
  readonly initiatorName: string;
  readonly status: RunStatus;
  readonly currentNode: string | null;
  /** Why nobody goes on with it: its ledger does not verify. */
  readonly frozen: string | null;
  /** Of a fork: the run that it goes on from, and the first record that is not that run's any more. */
  readonly parentRun: string | null;
  readonly forkSeq: number | null;
  readonly simulated: boolean;
  readonly version: number;
  readonly head: string;
  readonly refusals: number;
  readonly totalTokens: number;
  readonly totalMicroUsd: number;
  /** Milliseconds since 1970, as `updatedAt`. */
  readonly createdAt: number;
  readonly updatedAt: number;
};

type Stored = Awaited<ReturnType<Transaction["run"]["findMany"]>>[number];

/** Names for the ids of many rows in three statements, however many rows there are. */
export const withNames = async (tx: Transaction, workspaceId: string, rows: readonly Stored[]): Promise<RunRow[]> => {
  const [graphs, versions, users] = await Promise.all([
    tx.graph.findMany({ where: { workspaceId, id: { in: rows.map((row) => row.graphId) } }, select: { id: true, name: true } }),
    tx.graphVersion.findMany({
      where: { workspaceId, hash: { in: rows.map((row) => row.graphHash) } },
      select: { hash: true, number: true },
    }),
    tx.user.findMany({ where: { id: { in: rows.map((row) => row.initiatorId) } }, select: { id: true, name: true } }),
  ]);
  const graphNames = new Map(graphs.map((graph) => [graph.id, graph.name]));
  const numbers = new Map(versions.map((version) => [version.hash, version.number]));
  const userNames = new Map(users.map((user) => [user.id, user.name]));

  return rows.map((row) => ({
    id: row.id,
    graphId: row.graphId,
    graphHash: hexDigestSchema.parse(row.graphHash),
    graphName: graphNames.get(row.graphId) ?? "",
    versionNumber: numbers.get(row.graphHash) ?? null,
    initiatorId: row.initiatorId,
    initiatorName: userNames.get(row.initiatorId) ?? "",
    status: runStatusSchema.parse(row.status),
    currentNode: row.currentNode,
    frozen: row.frozen,
    parentRun: row.parentRun,
    forkSeq: row.forkSeq,
    simulated: row.simulated,
    version: row.version,
    head: row.head,
    refusals: row.refusals,
    totalTokens: row.totalTokens,
    totalMicroUsd: Number(row.totalMicroUsd),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }));
};

/** One run, or null: a run of another workspace does not exist. */
export const getRun = (workspaceId: string, id: string): Promise<RunRow | null> =>
  inWorkspace(workspaceId, async (tx) => {
    const row = await tx.run.findFirst({ where: { workspaceId, id } });
    if (!row) return null;
    const [run] = await withNames(tx, workspaceId, [row]);

    return run ?? null;
  });

/** How far a run is. */
export type RunStanding = { readonly status: RunStatus; readonly version: number; readonly frozen: string | null };

/** How far these runs are, in one small read; those that are not there are left out. */
export const runStandings = async (
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly (RunStanding & { readonly id: string })[]> => {
  const rows = await scoped(workspaceId).run.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    select: { id: true, status: true, version: true, frozen: true },
  });

  return rows.map((row) => ({ ...row, status: runStatusSchema.parse(row.status) }));
};

/** As `runStandings`, of one; null: there is no such run. */
export const runStanding = async (workspaceId: string, id: string): Promise<RunStanding | null> => {
  const [standing] = await runStandings(workspaceId, [id]);

  return standing ? { status: standing.status, version: standing.version, frozen: standing.frozen } : null;
};
