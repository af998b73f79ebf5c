import { z } from "zod";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import type { HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";
import { isAllowed } from "@/lib/roles";
import { runInWorkspace, type Transaction } from "@/server/db/client";
import { systemClock } from "@/server/clock";
import type { AuthorityReader } from "@/server/store/trust/authority";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { getNamesIn } from "@/server/store/people/people";
import { freezeVersion, type GraphVersionRow, type Publish, type RecordVersion } from "./versions";

export type Lineage = {
  readonly base: { readonly hash: HexDigest; readonly number: number } | null;
  /** Savers, and requesters of the architect's revisions. */
  readonly involved: readonly string[];
  readonly byArchitect: boolean;
  readonly untrusted: boolean;
};

export const getLineage = (workspaceId: string, graphId: string): Promise<Lineage> =>
  runInWorkspace(workspaceId, async (tx) => {
    const base = await tx.graphVersion.findFirst({
      where: { workspaceId, graphId },
      orderBy: { number: "desc" },
      select: { hash: true, number: true, revision: true },
    });
    const since = await tx.graphRevision.findMany({
      where: { workspaceId, graphId, revision: { gt: base?.revision ?? 0 } },
      distinct: ["authorId", "jobId"],
      select: { authorId: true, jobId: true },
    });
    const jobs = await tx.architectJob.findMany({
      where: { workspaceId, id: { in: since.flatMap(({ jobId }) => jobId ?? []) } },
      select: { userId: true },
    });
    const drawn = await tx.graphRevision.findMany({
      where: { workspaceId, graphId, jobId: { not: null } },
      distinct: ["untrusted"],
      select: { untrusted: true },
    });

    return {
      base: base && { hash: base.hash, number: base.number },
      involved: [...new Set([...since.map(({ authorId }) => authorId), ...jobs.map(({ userId }) => userId)])].toSorted(),
      byArchitect: drawn.length > 0,
      untrusted: drawn.some(({ untrusted }) => untrusted),
    };
  });

/** Between two versions. @param after null: from the beginning */
export const listContributors = (
  workspaceId: string,
  graphId: string,
  { after, to }: { readonly after: HexDigest | null; readonly to: HexDigest },
): Promise<Pick<Lineage, "involved" | "byArchitect">> =>
  runInWorkspace(workspaceId, async (tx) => {
    const ends = await tx.graphVersion.findMany({
      where: { workspaceId, graphId, hash: { in: [...(after === null ? [] : [after]), to] } },
      select: { hash: true, revision: true },
    });
    const revisionOf = (hash: string | null) => ends.find((end) => end.hash === hash)?.revision ?? null;
    const last = revisionOf(to);
    const revisions = await tx.graphRevision.findMany({
      where: { workspaceId, graphId, revision: { gt: revisionOf(after) ?? 0, ...(last === null ? {} : { lte: last }) } },
      distinct: ["authorId", "jobId"],
      select: { authorId: true, jobId: true },
    });
    const jobs = await tx.architectJob.findMany({
      where: { workspaceId, id: { in: revisions.flatMap(({ jobId }) => jobId ?? []) } },
      select: { userId: true },
    });

    return {
      involved: [...new Set([...revisions.map(({ authorId }) => authorId), ...jobs.map(({ userId }) => userId)])],
      byArchitect: revisions.some(({ jobId }) => jobId !== null),
    };
  });

export const REQUEST_STATUSES = ["open", "approved", "declined", "superseded"] as const;

export type PublishRequestRow = {
  readonly id: string;
  readonly graphId: string;
  readonly graphName: string;
  readonly revision: number;
  readonly hash: HexDigest;
  readonly baseHash: HexDigest | null;
  readonly requestedBy: string;
  readonly requesterName: string;
  readonly byAgent: boolean;
  readonly involved: readonly string[];
  readonly changes: Json;
  readonly status: (typeof REQUEST_STATUSES)[number];
  readonly deciderName: string | null;
  readonly reason: string | null;
  readonly createdAt: number;
};

export type NewPublishRequest = {
  readonly id: string;
  readonly graphId: string;
  readonly revision: number;
  readonly hash: HexDigest;
  readonly baseHash: HexDigest | null;
  readonly requestedBy: string;
  readonly tokenId: string | null;
  readonly involved: readonly string[];
  readonly changes: Json;
};

export type RecordRequest = (request: NewPublishRequest, client: LedgerTransaction) => Promise<void>;

export const insertPublishRequest = (workspaceId: string, request: NewPublishRequest, record: RecordRequest | null): Promise<void> =>
  runInWorkspace(workspaceId, async (tx) => {
    await tx.$queryRaw`select 1 from graph where workspace_id = ${workspaceId}::uuid and id = ${request.graphId}::uuid for update`;
    await tx.publishRequest.updateMany({
      where: { workspaceId, graphId: request.graphId, status: "open" },
      data: { status: "superseded", decidedAt: new Date(systemClock.now()) },
    });
    await tx.publishRequest.create({
      data: { workspaceId, ...request, involved: [...request.involved], changes: z.json().parse(request.changes) ?? [] },
    });
    await record?.(request, tx);
  });

const MOST_LISTED = 50;

/** Newest first. @param graphId null: all */
export const listPublishRequests = (workspaceId: string, graphId: string | null): Promise<readonly PublishRequestRow[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.publishRequest.findMany({
      where: { workspaceId, ...(graphId === null ? { status: "open" } : { graphId }) },
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      take: MOST_LISTED,
    });
    const names = await getNamesIn(
      tx,
      workspaceId,
      rows.flatMap((row) => [row.requestedBy, ...(row.decidedBy === null ? [] : [row.decidedBy])]),
    );
    const graphs = await tx.graph.findMany({
      where: { workspaceId, id: { in: rows.map((row) => row.graphId) } },
      select: { id: true, name: true },
    });
    const graphNames = new Map(graphs.map(({ id, name }) => [id, name]));

    return rows.map((row) => ({
      id: row.id,
      graphId: row.graphId,
      graphName: graphNames.get(row.graphId) ?? "",
      revision: row.revision,
      hash: row.hash,
      baseHash: row.baseHash,
      requestedBy: row.requestedBy,
      requesterName: names[row.requestedBy] ?? "",
      byAgent: row.tokenId !== null,
      involved: row.involved,
      changes: z.json().parse(row.changes),
      status: z.enum(REQUEST_STATUSES).parse(row.status),
      deciderName: row.decidedBy === null ? null : (names[row.decidedBy] ?? ""),
      reason: row.reason,
      createdAt: row.createdAt.getTime(),
    }));
  });

export const countPublishRequestsFor = (workspaceId: string, userId: string): Promise<number> =>
  runInWorkspace(workspaceId, (tx) =>
    tx.publishRequest.count({ where: { workspaceId, status: "open", NOT: { involved: { has: userId } } } }),
  );

export type Publishers = {
  readonly authorName: string;
  /** Null: one sufficed. */
  readonly secondPerson: string | null;
};

export const withPublishers = <Version extends Pick<GraphVersionRow, "graphId" | "hash" | "authorId">>(
  workspaceId: string,
  versions: readonly Version[],
): Promise<(Version & Publishers)[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const approved = await tx.publishRequest.findMany({
      where: { workspaceId, status: "approved", hash: { in: versions.map(({ hash }) => hash) } },
      select: { graphId: true, hash: true, decidedBy: true },
    });
    const deciders = approved.flatMap(({ graphId, hash, decidedBy }) => (decidedBy === null ? [] : [{ graphId, hash, decidedBy }]));
    const names = await getNamesIn(tx, workspaceId, [
      ...versions.map(({ authorId }) => authorId),
      ...deciders.map(({ decidedBy }) => decidedBy),
    ]);

    return versions.map((version) => {
      const decider = deciders.find(({ graphId, hash }) => graphId === version.graphId && hash === version.hash);

      return {
        ...version,
        authorName: names[version.authorId] ?? "",
        secondPerson: decider ? (names[decider.decidedBy] ?? "") : null,
      };
    });
  });

export type Publisher = { readonly userId: string; readonly name: string };

export const listSecondPeople = async (
  reader: Pick<AuthorityReader, "read">,
  workspaceId: string,
  involved: readonly string[],
): Promise<readonly Publisher[]> => {
  const ids = [...listMembersInForce(await reader.read(workspaceId))].flatMap(([id, { role, disabled }]) =>
    isAllowed(role, "graph.publish") && !disabled && !involved.includes(id) ? [id] : [],
  );

  return runInWorkspace(workspaceId, async (tx) => {
    const users = await tx.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
    const names = new Map(users.map(({ id, name }) => [id, name]));

    return ids.map((userId) => ({ userId, name: names.get(userId) ?? userId }));
  });
};

export const getPublishRequest = (workspaceId: string, id: string): Promise<(NewPublishRequest & { readonly status: string }) | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const row = await tx.publishRequest.findFirst({ where: { workspaceId, id } });

    return row && { ...row, changes: z.json().parse(row.changes) };
  });

const close = async (
  tx: Transaction,
  workspaceId: string,
  id: string,
  data: { status: string; decidedBy: string; reason: string | null },
) =>
  (
    await tx.publishRequest.updateMany({
      where: { workspaceId, id, status: "open" },
      data: { ...data, decidedAt: new Date(systemClock.now()) },
    })
  ).count === 1;

/** @returns false when already closed */
export const declinePublishRequest = (
  workspaceId: string,
  id: string,
  decidedBy: string,
  reason: string,
  record: ((client: LedgerTransaction) => Promise<void>) | null,
): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    const isClosed = await close(tx, workspaceId, id, { status: "declined", decidedBy, reason });
    if (isClosed) await record?.(tx);

    return isClosed;
  });

/** Compares an approval with its request's record. */
export type ApprovalRecord = { readonly confirm: RecordRequest | null; readonly record: RecordVersion | null };

export const approvePublishRequest = async (
  workspaceId: string,
  request: NewPublishRequest,
  publish: Publish,
  decidedBy: string,
  { confirm, record }: ApprovalRecord,
): Promise<GraphVersionRow | null> => {
  const moved = new Error("the ground has moved");
  try {
    return await runInWorkspace(workspaceId, async (tx) => {
      await confirm?.(request, tx);
      const version = await freezeVersion(tx, workspaceId, publish, { revision: request.revision, base: request.baseHash });
      const closed = version !== null && (await close(tx, workspaceId, request.id, { status: "approved", decidedBy, reason: null }));
      // Rolls both back.
      if (!closed) throw moved;
      await record?.(version, tx, publish.published);

      return version;
    });
  } catch (error) {
    if (error === moved) return null;
    throw error;
  }
};
