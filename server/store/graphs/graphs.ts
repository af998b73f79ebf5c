/** Graph drafts with optimistic concurrency. */
import { graphSchema, type Graph } from "@/lib/graph/document";
import type { SaveRefusal } from "@/lib/graph/save-refusal";
import { err, ok, type Result } from "@/lib/result";
import { systemClock } from "@/server/clock";
import { runInWorkspace, type Transaction } from "@/server/db/client";

export type GraphSummary = {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly updatedAt: number;
  readonly version: { readonly hash: string; readonly number: number } | null;
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

export const listGraphs = (workspaceId: string): Promise<readonly GraphSummary[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.graph.findMany({
      where: { workspaceId },
      orderBy: [{ updatedAt: "desc" }, { id: "asc" }],
      take: MAX_GRAPHS,
      include: { versions: { orderBy: { number: "desc" }, take: 1, select: { hash: true, number: true } } },
    });

    return rows.map(({ id, name, revision, updatedAt, versions }) => ({
      id,
      name,
      revision,
      updatedAt: updatedAt.getTime(),
      version: versions[0] ?? null,
    }));
  });

const newest = async (tx: Transaction, workspaceId: string, id: string): Promise<GraphDraft | null> => {
  const row = await tx.graphRevision.findFirst({ where: { workspaceId, graphId: id }, orderBy: { revision: "desc" } });

  return row && { id, revision: row.revision, document: graphSchema.parse(row.document) };
};

/** Returns the newest draft, or null. */
export const getGraph = (workspaceId: string, id: string): Promise<GraphDraft | null> =>
  runInWorkspace(workspaceId, (tx) => newest(tx, workspaceId, id));

type Authored = {
  readonly document: Graph;
  readonly authorId: string;
  /** A job becomes at most one revision. */
  readonly drawnBy?: { readonly jobId: string; readonly untrusted: boolean };
};

const drawing = ({ drawnBy }: Authored) => (drawnBy ? { jobId: drawnBy.jobId, untrusted: drawnBy.untrusted } : {});

/** Creates a graph with one revision. */
export const createGraph = (workspaceId: string, authored: Authored, id = systemClock.id()): Promise<GraphDraft> =>
  runInWorkspace(workspaceId, async (tx) => {
    const { document, authorId } = authored;
    await tx.graph.create({ data: { workspaceId, id, name: document.name } });
    await tx.graphRevision.create({ data: { workspaceId, graphId: id, revision: 1, document, authorId, ...drawing(authored) } });

    return { id, revision: 1, document };
  });

const MAX_AUTHORS = 10;

const conflictSince = async (tx: Transaction, workspaceId: string, id: string, revision: number): Promise<RevisionConflict | null> => {
  const current = await newest(tx, workspaceId, id);
  if (!current) return null;
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

/** Appends a revision to the newest. @returns null for an unknown graph */
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
      where: { workspaceId, id, revision: save.revision },
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
