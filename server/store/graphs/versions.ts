import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { PublishedGraph } from "@/lib/graph/document";
import { toPlainVersion } from "@/lib/graph/publish";
import type { Trigger } from "@/lib/graph/triggers/trigger";
import type { PublishedVersion } from "@/lib/graph/facts/facts";
import { digestOf, type HexDigest } from "@/lib/hash";
import { toCanonicalJson } from "@/lib/json";
import { mergeCalls } from "@/lib/merge-calls";
import { runInWorkspace, getPool, runRead, type Transaction } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { projectTriggers } from "@/server/store/triggers/projection";
import { columnsOf, queryRow } from "@/server/store/sql/rows";
import { readVersion, VersionAltered, type ReadVersion } from "@/server/store/ledger/version-text";

export type GraphVersionRow = {
  readonly hash: HexDigest;
  readonly graphId: string;
  readonly number: number;
  readonly authorId: string;
  readonly publishedAt: number;
};

export type StoredVersion = GraphVersionRow & ReadVersion;

const row = { hash: true, graphId: true, number: true, authorId: true, publishedAt: true } as const;

const readRow = (found: Omit<GraphVersionRow, "publishedAt"> & { readonly publishedAt: Date }): GraphVersionRow => ({
  hash: found.hash,
  graphId: found.graphId,
  number: found.number,
  authorId: found.authorId,
  publishedAt: found.publishedAt.getTime(),
});

export type Publish = {
  readonly graphId: string;
  readonly published: PublishedGraph;
  readonly authorId: string;
  readonly revision?: number;
};

/** If anything newer exists, the comparison is void. */
export type Ground = { readonly revision: number; readonly base: HexDigest | null };

const newestHash = async (tx: Transaction, workspaceId: string, graphId: string): Promise<{ hash: string; number: number } | null> =>
  tx.graphVersion.findFirst({ where: { workspaceId, graphId }, orderBy: { number: "desc" }, select: { hash: true, number: true } });

/** Otherwise republishing another graph's document would bypass the second person. */
const refuseTakenId = async (tx: Transaction, workspaceId: string, graphId: string, documentId: string): Promise<void> => {
  const taken = await tx.$queryRaw<unknown[]>`
    select 1 from graph_version where workspace_id = ${workspaceId}::uuid and graph_id <> ${graphId}::uuid
    and document::jsonb #>> '{graph,id}' = ${documentId} limit 1`;
  if (taken.length === 0) return;
  throw new AppError("conflict", {
    message: `Another graph is published under the id ${documentId}. Export this graph and import it to give it a new id.`,
  });
};

const sameVersion = async (
  tx: Transaction,
  workspaceId: string,
  { graphId, hash }: { readonly graphId: string; readonly hash: HexDigest },
  ground: Pick<Ground, "base"> | null,
): Promise<GraphVersionRow | null> => {
  const existing = await tx.graphVersion.findUnique({ where: { workspaceId_hash: { workspaceId, hash } }, select: row });
  if (existing && existing.graphId !== graphId) {
    throw new AppError("conflict", {
      message: "Another graph has published exactly this content. Change something first, such as the name.",
    });
  }
  if (existing && ground && existing.hash !== ground.base) {
    throw new AppError("conflict", {
      message: `This is exactly version ${existing.number}. Change something first, such as the description.`,
    });
  }

  return existing && readRow(existing);
};

/** Checks early, to inform people; freezing checks again. @throws AppError `conflict` */
export const demandUntaken = (
  workspaceId: string,
  { graphId, hash, documentId, base }: Pick<Ground, "base"> & Record<"graphId" | "documentId", string> & { readonly hash: HexDigest },
): Promise<void> =>
  runInWorkspace(workspaceId, async (tx) => {
    const same = await sameVersion(tx, workspaceId, { graphId, hash }, { base });
    if (!same) await refuseTakenId(tx, workspaceId, graphId, documentId);
  });

/** Null when the base moved. @throws AppError `conflict` */
export const freezeVersion = async (
  tx: Transaction,
  workspaceId: string,
  { graphId, published, authorId, revision }: Publish,
  ground: Ground | null,
): Promise<GraphVersionRow | null> => {
  const document = toPlainVersion(published);
  const hash = digestOf("graph", document);
  // Serialises publications and saves of one graph.
  const [draft] = await tx.$queryRaw<{ revision: number }[]>`
    select revision from graph where workspace_id = ${workspaceId}::uuid and id = ${graphId}::uuid and deleted_at is null for update`;
  const last = await newestHash(tx, workspaceId, graphId);
  if (ground && (draft?.revision !== ground.revision || (last?.hash ?? null) !== ground.base)) return null;
  const existing = await sameVersion(tx, workspaceId, { graphId, hash }, ground);
  if (existing) return existing;
  if (ground) {
    const { id } = published.graph;
    // And graphs under one id.
    await tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended(${`${workspaceId}/${id}`}, 0))::text`;
    await refuseTakenId(tx, workspaceId, graphId, id);
  }

  return readRow(
    await tx.graphVersion.create({
      data: {
        workspaceId,
        hash,
        graphId,
        number: (last?.number ?? 0) + 1,
        document: toCanonicalJson(document),
        authorId,
        ...(revision === undefined ? {} : { revision }),
      },
      select: row,
    }),
  );
};

export const readTriggers = async (tx: Transaction, workspaceId: string, hash: string): Promise<readonly Trigger[]> => {
  const stored = await tx.graphVersion.findFirst({ where: { workspaceId, hash } });

  return (stored && readVersion(stored)?.published.graph.triggers) ?? [];
};

export const publishVersion = (workspaceId: string, publish: Publish): Promise<GraphVersionRow> =>
  runInWorkspace(workspaceId, async (tx) => {
    const version = await freezeVersion(tx, workspaceId, publish, null);
    if (!version) throw new Error("a version without a ground is always frozen");
    await projectTriggers(tx, workspaceId, publish.graphId, publish.published.graph.triggers ?? []);

    return version;
  });

export type RecordVersion = (version: GraphVersionRow, client: LedgerTransaction, published: PublishedGraph) => Promise<void>;

export const publishOver = (
  workspaceId: string,
  publish: Publish,
  ground: Ground,
  record: RecordVersion | null,
): Promise<GraphVersionRow | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const version = await freezeVersion(tx, workspaceId, publish, ground);
    if (version) await record?.(version, tx, publish.published);

    return version;
  });

const MAX_VERSIONS = 200;

/** Newest first. */
export const listVersions = (workspaceId: string, graphId: string): Promise<readonly GraphVersionRow[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.graphVersion.findMany({
      where: { workspaceId, graphId },
      orderBy: { number: "desc" },
      take: MAX_VERSIONS,
      select: row,
    });

    return rows.map(readRow);
  });

export const getNumberOfVersion = (workspaceId: string, graphId: string, hash: HexDigest): Promise<number | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const found = await tx.graphVersion.findFirst({ where: { workspaceId, graphId, hash }, select: { number: true } });

    return found?.number ?? null;
  });

export const findVersionBefore = (workspaceId: string, graphId: string, number: number): Promise<HexDigest | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const where = { workspaceId, graphId, number: { lt: number } };
    const found = await tx.graphVersion.findFirst({ where, orderBy: { number: "desc" }, select: { hash: true } });

    return found?.hash ?? null;
  });

const executedRow = z.object({ hash: z.string(), graphId: z.string(), authorId: z.string(), number: z.number(), document: z.string() });
const storedRow = executedRow.extend({ publishedAt: z.date() });

/** @throws Error when the text does not match */
export const getVersion = mergeCalls((workspaceId: string, hash: string) =>
  runRead(workspaceId, async (client): Promise<StoredVersion | null> => {
    const text = `select ${columnsOf(storedRow)} from graph_version where workspace_id = $1 and hash = $2`;
    const found = await queryRow(client, storedRow, { name: "version", text, values: [workspaceId, hash] });
    const read = found && readVersion(found);
    if (found && !read) throw new VersionAltered(hash);

    return found && read && { ...readRow(found), ...read };
  }),
);

/** @param number null: the newest @throws as `getVersion` */
export const getNumberedVersion = async (workspaceId: string, graphId: string, number: number | null): Promise<StoredVersion | null> => {
  const where = { workspaceId, graphId, ...(number === null ? {} : { number }) };
  const find = (tx: Transaction) => tx.graphVersion.findFirst({ where, orderBy: { number: "desc" }, select: { hash: true } });
  const found = await runInWorkspace(workspaceId, find);

  return found && getVersion(workspaceId, found.hash);
};

export type ExecutedVersion = Pick<StoredVersion, "hash" | "graphId" | "number" | "authorId" | "published">;

/** @throws VersionAltered */
export const findVersionToExecute = mergeCalls(async (workspaceId: string, hash: string): Promise<ExecutedVersion | null> => {
  const text = `select ${columnsOf(executedRow)} from graph_version where workspace_id = $1 and hash = $2`;
  const found = await queryRow(getPool(), executedRow, { name: "version-to-execute", text, values: [workspaceId, hash] });
  if (!found) return null;
  const read = readVersion(found);
  if (!read) throw new VersionAltered(hash);
  const { graphId, number, authorId } = found;

  return { hash: found.hash, graphId, number, authorId, published: read.published };
});

const MAX_GRAPHS = 200;
const MAX_NAMED = 500;

export type UsableVersion = PublishedVersion & Pick<GraphVersionRow, "graphId" | "number">;

/** The newest versions of graphs that are not deleted (at most 200), then the named (at most 500), without altered ones. */
export const listUsableVersions = (workspaceId: string, named: readonly HexDigest[] = []): Promise<readonly UsableVersion[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const newest = await tx.$queryRaw<{ hash: string }[]>`
      select hash from (
        select distinct on (v.graph_id) v.hash, v.published_at from graph_version v
        join graph g on g.workspace_id = v.workspace_id and g.id = v.graph_id and g.deleted_at is null
        where v.workspace_id = ${workspaceId}::uuid order by v.graph_id, v.number desc
      ) as newest order by published_at desc, hash limit ${MAX_GRAPHS}`;
    const first = new Set(newest.map(({ hash }) => hash));
    const found = await tx.graphVersion.findMany({
      where: { workspaceId, hash: { in: [...first, ...named.slice(0, MAX_NAMED)] } },
      orderBy: [{ publishedAt: "desc" }, { hash: "asc" }],
    });
    const inOrder = [...found.filter(({ hash }) => first.has(hash)), ...found.filter(({ hash }) => !first.has(hash))];

    return inOrder.flatMap((stored): UsableVersion[] => {
      const published = readVersion(stored)?.published;

      return published ? [{ version: stored.hash, graphId: stored.graphId, number: stored.number, published }] : [];
    });
  });

/** Null when altered, or when the graph is deleted. */
export const getNewestVersion = mergeCalls((workspaceId: string, graphId: string) =>
  runInWorkspace(workspaceId, async (tx): Promise<UsableVersion | null> => {
    const where = { workspaceId, graphId, graph: { deletedAt: null } };
    const stored = await tx.graphVersion.findFirst({ where, orderBy: { number: "desc" } });
    const published = stored && readVersion(stored)?.published;

    return published ? { version: stored.hash, graphId, number: stored.number, published } : null;
  }),
);
