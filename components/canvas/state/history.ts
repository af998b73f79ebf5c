/** Undo history of documents, without selection, drags or saves. */
import type { Graph } from "@/lib/graph/document";

export type History = {
  readonly document: Graph;
  readonly past: readonly Graph[];
  readonly future: readonly Graph[];
  /** Consecutive edits of a group are one undo step. */
  readonly group: string | null;
};

const MAX_STEPS = 200;

export const startHistory = (document: Graph): History => ({ document, past: [], future: [], group: null });

/** Adds an edit, unless it changed nothing. */
export const record = (history: History, document: Graph, group: string | null): History => {
  if (document === history.document) return history;
  const joins = group !== null && group === history.group;

  return {
    document,
    past: joins ? history.past : [...history.past, history.document].slice(-MAX_STEPS),
    future: [],
    group,
  };
};

/** Starts a new undo step. */
export const endGroup = (history: History): History => (history.group === null ? history : { ...history, group: null });

export const undo = (history: History): History => {
  const before = history.past.at(-1);
  if (!before) return history;

  return { document: before, past: history.past.slice(0, -1), future: [history.document, ...history.future], group: null };
};

export const redo = (history: History): History => {
  const [after, ...future] = history.future;
  if (!after) return history;

  return { document: after, past: [...history.past, history.document], future, group: null };
};
