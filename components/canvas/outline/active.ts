import type { Selection } from "@/components/canvas/state/canvas-store";
import type { Row } from "./rows";

export type Last = { readonly key: string | null; readonly index: number };

const clamp = (index: number, count: number): number => Math.min(Math.max(0, index), Math.max(0, count - 1));

const keysOf = ({ nodes, edges }: Selection): readonly string[] => [...edges.map((id) => `edge:${id}`), ...nodes.map((id) => `node:${id}`)];

/** Returns whether the selection has no visible row; keys would affect it unseen. */
export const isOutOfSight = (rows: readonly Row[], selection: Selection): boolean => {
  const keys = new Set(keysOf(selection));

  return keys.size > 0 && rows.every(({ key }) => !keys.has(key));
};

export const findActive = (rows: readonly Row[], selection: Selection, last: Last): number => {
  const selected = keysOf(selection);
  const wanted = last.key !== null && selected.includes(last.key) ? last.key : (selected.at(-1) ?? null);
  const indexOf = (key: string | null) => (key === null ? -1 : rows.findIndex((row) => row.key === key));
  const [bySelection, byLast] = [indexOf(wanted), indexOf(last.key)];

  return bySelection >= 0 ? bySelection : byLast >= 0 ? byLast : clamp(last.index, rows.length);
};
