/** Drafts of graphs: append-only revisions, the newest named by the head. Saving names the revision it was made for. */
import { graphSchema, type Graph } from "@/lib/graph/document";
import type { SaveRefusal } from "@/lib/graph/save-refusal";
import { err, ok, type Result } from "@/lib/result";
import { systemClock } from "@/server/clock";
import { inWorkspace, type Transaction } from "@/server/db/client";

export type GraphSummary = {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The newest version, if any was published. */
  readonly version: { readonly hash: string; readonly number: number } | null;
};

export type GraphDraft = { readonly id: string; readonly revision: number; readonly document: Graph };

/** The revision that is newest now, what it holds, and who saved since the one that was named, newest first. */
export type RevisionConflict = {
  readonly revision: number;
  readonly document: Graph;
  readonly authorIds: readonly string[];
  /** The revision right after the one that was named: whoever got no answer to a save may know it. */
  readonly next: Graph | null;
};

const MAX_GRAPHS = 500;

export const listGraphs = (workspaceId: string): Promise<readonly GraphSummary[]> =>
  inWorkspace(workspaceId, async (tx) => {
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

/** The newest draft, or null. */
export const getGraph = (workspaceId: string, id: string): Promise<GraphDraft | null> =>
  inWorkspace(workspaceId, (tx) => newest(tx, workspaceId, id));

type Authored = {
  readonly document: Graph;
  readonly authorId: string;
  /** The architect's job that drew it, and whether text of others took part. A job becomes one revision and no more. */
  readonly drawnBy?: { readonly jobId: string; readonly untrusted: boolean };
};

const drawing = ({ drawnBy }: Authored) => (drawnBy ? { jobId: drawnBy.jobId, untrusted: drawnBy.untrusted } : {});

/** A new graph with its first revision. */
export const createGraph = (workspaceId: string, authored: Authored, id = systemClock.id()): Promise<GraphDraft> =>
  inWorkspace(workspaceId, async (tx) => {
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
  /** The one that it is a change of. */
  readonly revision: number;
  /** Says what is wrong with putting the document in the place of the newest one, or null. */
  readonly guard?: (newest: Graph) => SaveRefusal | null;
};

/**
 * Appends a revision if `revision` is still the newest: of two saves on one revision exactly one wins.
 * @returns the new revision; the conflict with what is newest now, or the guard's refusal; null when there is no such graph
 */
export const saveRevision = (
  workspaceId: string,
  id: string,
  save: Save,
): Promise<Result<number, RevisionConflict | { readonly refusal: SaveRefusal }> | null> =>
  inWorkspace(workspaceId, async (tx) => {
    const next = save.revision + 1;
    // Revisions never change, so what is looked at here is what the update below still finds, or it finds nothing.
    const before = save.guard ? await newest(tx, workspaceId, id) : null;
    const refusal = before?.revision === save.revision ? (save.guard?.(before.document) ?? null) : null;
    if (refusal !== null) return err({ refusal });
    // The update locks the row, so a second save on the same revision waits here and then matches nothing.
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
