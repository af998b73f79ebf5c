/** Graph drafts with optimistic concurrency. */
import { graphSchema, type Graph } from "@/lib/graph/document";
import type { SaveRefusal } from "@/lib/graph/save-refusal";
import { mergeCalls } from "@/lib/merge-calls";
import { err, ok, type Result } from "@/lib/result";
import { systemClock } from "@/server/clock";
import { runInWorkspace, type Transaction } from "@/server/db/client";
import { getNamesIn } from "@/server/store/people/people";

export type GraphSummary = {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly updatedAt: number;
  readonly version: { readonly hash: string; readonly number: number } | null;
  readonly tags: readonly string[];
  /** Null: a former member. */
  readonly owner: { readonly id: string; readonly name: string } | null;
};

export type GraphDraft = { readonly id: string; readonly revision: number; readonly document: Graph };

export type RevisionConflict = {
  readonly revision: number;
  readonly document: Graph;
  readonly authorIds: readonly string[];
  /** Lets the author of an unanswered save recognise it. */
  readonly next: Graph | null;
};

const MAX_GRAPHS = 500;

/** Newest change first. @param standing deleted graphs, or the others */
export const listGraphs = (workspaceId: string, standing: "kept" | "deleted" = "kept"): Promise<readonly GraphSummary[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.graph.findMany({
      where: { workspaceId, deletedAt: standing === "kept" ? null : { not: null } },
      orderBy: [{ updatedAt: "desc" }, { id: "asc" }],
      take: MAX_GRAPHS,
      include: { versions: { orderBy: { number: "desc" }, take: 1, select: { hash: true, number: true } } },
    });

    const names = await getNamesIn(
      tx,
      workspaceId,
      rows.flatMap(({ ownerId }) => ownerId ?? []),
    );
    const ownerOf = (ownerId: string | null): GraphSummary["owner"] => {
      const name = ownerId === null ? undefined : names[ownerId];

      return ownerId === null || name === undefined ? null : { id: ownerId, name };
    };

    return rows.map(({ id, name, revision, updatedAt, versions, tags, ownerId }) => ({
      id,
      name,
      revision,
      updatedAt: updatedAt.getTime(),
      version: versions[0] ?? null,
      tags,
      owner: ownerOf(ownerId),
    }));
  });

export const fileGraph = (
  workspaceId: string,
  id: string,
  change: { readonly tags?: readonly string[]; readonly ownerId?: string },
): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    const { tags, ownerId } = change;
    const data = { ...(tags === undefined ? {} : { tags: [...tags] }), ...(ownerId === undefined ? {} : { ownerId }) };

    return (await tx.graph.updateMany({ where: { workspaceId, id, deletedAt: null }, data })).count > 0;
  });

/** Hides or restores a graph; drafts, versions, runs and records stay. @returns whether it changed */
export const setGraphDeleted = (workspaceId: string, id: string, isDeleted: boolean): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    const found = await tx.graph.updateMany({
      where: { workspaceId, id, deletedAt: isDeleted ? null : { not: null } },
      data: { deletedAt: isDeleted ? new Date(systemClock.now()) : null },
    });

    return found.count > 0;
  });

export const isGraphDeleted = mergeCalls((workspaceId: string, id: string) =>
  runInWorkspace(workspaceId, async (tx) => (await tx.graph.count({ where: { workspaceId, id, deletedAt: { not: null } } })) > 0),
);

const newest = async (tx: Transaction, workspaceId: string, id: string): Promise<GraphDraft | null> => {
  const row = await tx.graphRevision.findFirst({ where: { workspaceId, graphId: id }, orderBy: { revision: "desc" } });

  return row && { id, revision: row.revision, document: graphSchema.parse(row.document) };
};

export const getGraph = (workspaceId: string, id: string): Promise<GraphDraft | null> =>
  runInWorkspace(workspaceId, (tx) => newest(tx, workspaceId, id));

type Authored = {
  readonly document: Graph;
  readonly authorId: string;
  /** A job becomes at most one revision. */
  readonly drawnBy?: { readonly jobId: string; readonly untrusted: boolean };
};

const drawing = ({ drawnBy }: Authored) => (drawnBy ? { jobId: drawnBy.jobId, untrusted: drawnBy.untrusted } : {});

/** Creates a graph with one revision. @returns the earlier draft of a repeat with the same id */
export const createGraph = (workspaceId: string, authored: Authored, id = systemClock.id()): Promise<GraphDraft> =>
  runInWorkspace(workspaceId, async (tx) => {
    const { document, authorId } = authored;
    const row = { workspaceId, id, name: document.name, ownerId: authorId };
    // Waits for a concurrent repeat to commit.
    const { count } = await tx.graph.createMany({ data: [row], skipDuplicates: true });
    const earlier = count === 0 ? await newest(tx, workspaceId, id) : null;
    if (earlier) return earlier;
    await tx.graphRevision.create({ data: { workspaceId, graphId: id, revision: 1, document, authorId, ...drawing(authored) } });

    return { id, revision: 1, document };
  });

const MAX_AUTHORS = 10;

const conflictSince = async (tx: Transaction, workspaceId: string, id: string, revision: number): Promise<RevisionConflict | null> => {
  const current = await newest(tx, workspaceId, id);
  if (!current || (await tx.graph.count({ where: { workspaceId, id, deletedAt: null } })) === 0) return null;
  const since = await tx.graphRevision.findMany({
    where: { workspaceId, graphId: id, revision: { gt: revision } },
    orderBy: { revision: "desc" },
    distinct: ["authorId"],
    take: MAX_AUTHORS,
    select: { authorId: true },
  });

  const next = await tx.graphRevision.findFirst({
    where: { workspaceId, graphId: id, revision: revision + 1 },
    select: { document: true },
  });

  return {
    revision: current.revision,
    document: current.document,
    authorIds: since.map(({ authorId }) => authorId),
    next: next && graphSchema.parse(next.document),
  };
};

type Save = Authored & {
  readonly revision: number;
  /** Null: may replace the newest. */
  readonly guard?: (newest: Graph) => SaveRefusal | null;
};

export const saveRevision = (
  workspaceId: string,
  id: string,
  save: Save,
): Promise<Result<number, RevisionConflict | { readonly refusal: SaveRefusal }> | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const next = save.revision + 1;
    // Immutable: the update below finds this one or nothing.
    const before = save.guard ? await newest(tx, workspaceId, id) : null;
    const refusal = before?.revision === save.revision ? (save.guard?.(before.document) ?? null) : null;
    if (refusal !== null) return err({ refusal });
    // A concurrent save waits for the row lock, then matches nothing.
    const { count } = await tx.graph.updateMany({
      where: { workspaceId, id, revision: save.revision, deletedAt: null },
      data: { revision: next, name: save.document.name, updatedAt: new Date(systemClock.now()) },
    });
    if (count === 0) {
      const conflict = await conflictSince(tx, workspaceId, id, save.revision);

      return conflict && err(conflict);
    }
    await tx.graphRevision.create({
      data: { workspaceId, graphId: id, revision: next, document: save.document, authorId: save.authorId, ...drawing(save) },
    });

    return ok(next);
  });
