/** Outline key navigation, after the tree grid pattern. Pure. */
import type { Row } from "./rows";

const PAGE = 10;

export type Move =
  | { readonly to: number }
  /** Toggles this node's edges. */
  | { readonly toggle: string };

const indexOf = (rows: readonly Row[], key: string, fallback: number): number => {
  const index = rows.findIndex((row) => row.key === key);

  return index < 0 ? fallback : index;
};

/** Expands a node, then enters it; edges lead to their target. */
const right = (rows: readonly Row[], at: number, row: Row): Move => {
  if (row.type !== "node") return { to: indexOf(rows, `node:${row.target}`, at) };
  if (row.isOpen === null) return { to: at };

  return row.isOpen ? { to: at + 1 } : { toggle: row.node.id };
};

/** An edge leads to its node, which then collapses. */
const left = (rows: readonly Row[], at: number, row: Row): Move => {
  if (row.type !== "node") return { to: indexOf(rows, `node:${row.source}`, at) };

  return row.isOpen === true ? { toggle: row.node.id } : { to: at };
};

/** @returns null for other keys */
export const moveOf = (rows: readonly Row[], at: number, key: string): Move | null => {
  const row = rows[at];
  const last = rows.length - 1;
  const within = (index: number): Move => ({ to: Math.min(Math.max(0, index), last) });
  if (!row) return null;
  switch (key) {
    case "ArrowDown":
      return within(at + 1);
    case "ArrowUp":
      return within(at - 1);
    case "PageDown":
      return within(at + PAGE);
    case "PageUp":
      return within(at - PAGE);
    case "Home":
      return within(0);
    case "End":
      return within(last);
    case "ArrowRight":
      return right(rows, at, row);
    case "ArrowLeft":
      return left(rows, at, row);
    default:
      return null;
  }
};

/** Next selectable row. */
export const skipJoints = (rows: readonly Row[], from: number, to: number): number => {
  const isStop = ({ type }: Row) => type !== "joint";
  const found = to >= from ? rows.findIndex((row, index) => index >= to && isStop(row)) : rows.slice(0, to + 1).findLastIndex(isStop);

  return found < 0 ? to : found;
};

/** Next name with the typed prefix; a repeated letter cycles. */
export const findTyped = (rows: readonly Row[], at: number, typed: string): number => {
  const isRepeated = typed.length > 1 && typed.replaceAll(typed.slice(0, 1), "") === "";
  const wanted = (isRepeated ? typed.slice(0, 1) : typed).toLowerCase();
  const from = typed.length === 1 || isRepeated ? at + 1 : at;
  const order = rows.map((_, index) => (from + index) % rows.length);
  const found = order.find((index) => {
    const row = rows[index];
    if (!row || row.type !== "node") return false;

    return row.node.title.toLowerCase().startsWith(wanted) || row.node.id.toLowerCase().startsWith(wanted);
  });

  return found ?? at;
};
