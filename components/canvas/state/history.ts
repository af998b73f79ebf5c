/** Undo history as a list of documents. Selection, unfinished drags and saving are not part of it. */
import type { Graph } from "@/lib/graph/document";

export type History = {
  readonly document: Graph;
  readonly past: readonly Graph[];
  readonly future: readonly Graph[];
  /** Edits of the same group, one after the other, are undone as one: typing in one field, keys held down. */
  readonly group: string | null;
};

const MAX_STEPS = 200;

export const startHistory = (document: Graph): History => ({ document, past: [], future: [], group: null });

/** The history after an edit. An edit that changed nothing is no step. */
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

/** What follows is a step of its own, even in the same field. */
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
