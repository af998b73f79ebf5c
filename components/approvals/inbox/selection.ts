/** Selected rows, decided together. Pure. */
import { classifyRisk, type AuthorityClass } from "@/lib/engine/approvals/authority-class";
import type { QueueRow } from "@/components/approvals/types";

/** A person can't read more at once. */
export const MOST_TOGETHER = 50;

type Row = Pick<QueueRow, "id" | "status" | "mine" | "reason" | "authority" | "steered" | "signature">;

export type Selection = { readonly ids: ReadonlySet<string>; readonly anchor: string | null };

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: null };

const isOpen = ({ status }: Pick<Row, "status">): boolean => status === "open";

export const select = (selection: Selection, rows: readonly Row[], id: string, isRange: boolean): Selection => {
  const [from, to] = [rows.findIndex((row) => row.id === selection.anchor), rows.findIndex((row) => row.id === id)];
  const ids = new Set(selection.ids);
  if (isRange && from >= 0 && to >= 0) {
    for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1).filter(isOpen)) ids.add(row.id);

    return { ids, anchor: id };
  }
  if (!ids.delete(id)) ids.add(id);

  return { ids, anchor: id };
};

export const selectAll = (selection: Selection, rows: readonly Row[]): Selection => {
  const open = rows.filter(isOpen);

  return open.every(({ id }) => selection.ids.has(id)) ? NOTHING_SELECTED : { ids: new Set(open.map(({ id }) => id)), anchor: null };
};

export const listSelectedRows = <R extends Row>(selection: Selection, rows: readonly R[]): R[] =>
  rows.filter(({ id }) => selection.ids.has(id));

const selectedText = (count: number): string => `${count} selected ${count === 1 ? "request" : "requests"}`;

export const explainNotTogether = (rows: readonly Row[]): string | null => {
  const count = (holds: (row: Row) => boolean) => rows.filter(holds).length;
  if (rows.length < 2) return "Select at least two";
  if (rows.length > MOST_TOGETHER) return `Select at most ${MOST_TOGETHER}; ${rows.length} are selected`;
  const gone = count((row) => !isOpen(row));
  if (gone > 0) return `Already decided: ${selectedText(gone)}`;
  const cases = count(({ reason }) => reason === "review");
  if (cases > 0) return `Verdicts are given one at a time: ${selectedText(cases)}`;
  const questions = count(({ reason }) => reason === "tool_input");
  if (questions > 0) return `Answers are given one at a time: ${selectedText(questions)}`;
  const others = count(({ mine }) => !mine);
  if (others > 0) return `You can't decide ${selectedText(others)}`;
  const [first, ...classes] = [...new Set(rows.map(({ authority }) => authority))];
  if (first === null || first === undefined || classes.includes(null))
    return "The authority of some requests is unknown. Decide them one at a time";
  if (classes.length > 0) return "The selected requests have different authority. Decide one kind at a time";

  return whyNotKind(first, rows);
};

const whyNotKind = (authority: AuthorityClass, rows: readonly Row[]): string | null => {
  if (classifyRisk(authority) === "high") return "High-risk requests are decided one at a time";
  const steered = rows.filter(({ steered: is }) => is !== false).length;
  if (steered > 0) return `Untrusted data steers ${selectedText(steered)}. Decide them one at a time`;
  const signed = rows.filter(({ signature }) => signature !== null).length;

  return signed > 0 ? `A passkey signs one decision at a time: ${selectedText(signed)}` : null;
};
