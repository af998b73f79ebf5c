import { z } from "zod";
import { runStatusSchema, type RunStatus } from "@/lib/engine/event";
import { runInWorkspace, scopeToWorkspace } from "@/server/db/client";
import { holdTokenUse } from "@/server/store/agents/token-use";
import { msSchema } from "@/server/store/times";

const causeSchema = z.enum(["start", "reset", "fork"]);
export type SessionRunCause = z.infer<typeof causeSchema>;

const runRow = z.object({ ordinal: z.number(), runId: z.string(), cause: causeSchema, at: msSchema });
export type SessionRun = z.infer<typeof runRow>;

/** Times: ms since 1970. */
const sessionRow = z.object({
  id: z.string(),
  tokenId: z.string(),
  graphId: z.string(),
  createdAt: msSchema,
  lastUsedAt: msSchema,
  expiresAt: msSchema,
  revokedAt: msSchema.nullable(),
  runs: z.array(runRow),
});
export type AgentSession = z.infer<typeof sessionRow>;

const newRow = (session: Omit<AgentSession, "runs" | "revokedAt" | "lastUsedAt">) => ({
  ...session,
  createdAt: new Date(session.createdAt),
  lastUsedAt: new Date(session.createdAt),
  expiresAt: new Date(session.expiresAt),
});

/** @param most sessions per token in 24 hours @returns false at the limit */
export const insertAgentSession = (
  workspaceId: string,
  session: Omit<AgentSession, "runs" | "revokedAt" | "lastUsedAt">,
  most: number,
): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    const { sessions } = await holdTokenUse(tx, workspaceId, session.tokenId, session.createdAt);
    if (sessions >= most) return false;
    await tx.agentSession.create({ data: { workspaceId, ...newRow(session) } });

    return true;
  });

export const findAgentSession = (workspaceId: string, id: string): Promise<AgentSession | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const row = await tx.agentSession.findFirst({ where: { workspaceId, id }, include: { runs: { orderBy: { ordinal: "asc" } } } });

    return row && sessionRow.parse(row);
  });

export const findSessionOfRun = async (workspaceId: string, runId: string): Promise<AgentSession | null> => {
  const driven = await scopeToWorkspace(workspaceId).agentSessionRun.findFirst({
    where: { workspaceId, runId },
    select: { sessionId: true },
  });

  return driven && findAgentSession(workspaceId, driven.sessionId);
};

/** Moves a session to another run; one concurrent move wins. @returns the run with the ordinal */
export const addSessionRun = async (workspaceId: string, sessionId: string, run: SessionRun): Promise<string> => {
  const client = scopeToWorkspace(workspaceId);
  await client.agentSessionRun.createMany({
    data: [{ workspaceId, sessionId, ordinal: run.ordinal, runId: run.runId, cause: run.cause, at: new Date(run.at) }],
    skipDuplicates: true,
  });
  const stored = await client.agentSessionRun.findFirst({
    where: { workspaceId, sessionId, ordinal: run.ordinal },
    select: { runId: true },
  });
  if (!stored) throw new Error(`run ${run.runId} is another session's`);

  return stored.runId;
};

const TOUCH_MS = 60_000;

export const touchAgentSession = async (workspaceId: string, id: string, at: number, expiresAt: number): Promise<void> => {
  await scopeToWorkspace(workspaceId).agentSession.updateMany({
    where: { workspaceId, id, lastUsedAt: { lt: new Date(at - TOUCH_MS) } },
    data: { lastUsedAt: new Date(at), expiresAt: new Date(expiresAt) },
  });
};

/** Revokes a session. @param ownerId null: any @returns false when unknown */
export const revokeAgentSession = async (workspaceId: string, id: string, ownerId: string | null, at: number): Promise<boolean> => {
  const where = { workspaceId, id, ...(ownerId === null ? {} : { token: { ownerId } }) };
  const { count } = await scopeToWorkspace(workspaceId).agentSession.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: new Date(at) },
  });

  return count > 0 || (await scopeToWorkspace(workspaceId).agentSession.count({ where })) > 0;
};

export type ListedSession = AgentSession & {
  readonly tokenName: string;
  readonly ownerId: string;
  readonly graphName: string;
  /** Null before its first step. */
  readonly runStatus: RunStatus | null;
};

export type ListedFork = {
  readonly runId: string;
  readonly sessionId: string;
  readonly tokenName: string;
  readonly parentRun: string;
  readonly forkSeq: number;
  readonly simulated: boolean;
  readonly status: RunStatus;
  readonly createdAt: number;
  /** Null: kept. */
  readonly retainUntil: number | null;
  readonly collectedAt: number | null;
};

const MAX_LISTED = 200;

/** Most recently used first. @param ownerId null: all */
export const listAgentSessions = (workspaceId: string, ownerId: string | null): Promise<readonly ListedSession[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.agentSession.findMany({
      where: { workspaceId, ...(ownerId === null ? {} : { token: { ownerId } }) },
      include: { token: { select: { name: true, ownerId: true } }, runs: { orderBy: { ordinal: "asc" } } },
      orderBy: [{ lastUsedAt: "desc" }, { id: "asc" }],
      take: MAX_LISTED,
    });
    const newest = rows.flatMap(({ runs }) => runs.at(-1)?.runId ?? []);
    const [graphs, runs] = await Promise.all([
      tx.graph.findMany({ where: { workspaceId, id: { in: rows.map((row) => row.graphId) } }, select: { id: true, name: true } }),
      tx.run.findMany({ where: { workspaceId, id: { in: newest } }, select: { id: true, status: true } }),
    ]);
    const names = new Map(graphs.map((graph) => [graph.id, graph.name]));
    const statuses = new Map(runs.map((run) => [run.id, runStatusSchema.parse(run.status)]));

    return rows.map((row) => ({
      ...sessionRow.parse(row),
      tokenName: row.token.name,
      ownerId: row.token.ownerId,
      graphName: names.get(row.graphId) ?? "",
      runStatus: statuses.get(row.runs.at(-1)?.runId ?? "") ?? null,
    }));
  });

/** Newest first. @param ownerId null: all */
export const listAgentForks = (workspaceId: string, ownerId: string | null): Promise<readonly ListedFork[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.agentSessionRun.findMany({
      where: { workspaceId, cause: "fork", ...(ownerId === null ? {} : { session: { token: { ownerId } } }) },
      include: { session: { select: { token: { select: { name: true } } } } },
      orderBy: [{ at: "desc" }, { runId: "asc" }],
      take: MAX_LISTED,
    });
    const runs = await tx.run.findMany({ where: { workspaceId, id: { in: rows.map((row) => row.runId) } } });
    const byId = new Map(runs.map((run) => [run.id, run]));

    return rows.flatMap(({ runId, sessionId, session }): ListedFork[] => {
      const run = byId.get(runId);
      if (!run || run.parentRun === null || run.forkSeq === null) return [];

      return [
        {
          runId,
          sessionId,
          tokenName: session.token.name,
          parentRun: run.parentRun,
          forkSeq: run.forkSeq,
          simulated: run.simulated,
          status: runStatusSchema.parse(run.status),
          createdAt: run.createdAt.getTime(),
          retainUntil: run.retainUntil?.getTime() ?? null,
          collectedAt: run.collectedAt?.getTime() ?? null,
        },
      ];
    });
  });
