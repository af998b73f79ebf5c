/** What people asked to be changed, as the visit that it is for is shown it. */
import { source } from "@/lib/graph/label";
import { ownMember } from "@/lib/json";
import type { Write } from "@/lib/engine/decide/verdict";
import { asideAt, knownValue, type Cell, type RunState } from "@/lib/engine/state";

/** Where the notes for one visit to a node are kept. They are part of what the visit is shown. */
export const notesPath = (activation: number | null): string => `$changes.${activation}`;

/** @param activation the visit that it is for */
export const noteFor = (activation: number | null, approvalId: string, user: string, text: string): Write => ({
  path: notesPath(activation),
  value: { approval_id: approvalId, text: text.toWellFormed() },
  label: source("trusted", "internal", `user:${user}`),
});

export type Note = { readonly approvalId: string; readonly text: string; readonly seq: number };

const noteOf = (cell: Cell): Note[] => {
  const value = knownValue(cell);
  const [approvalId, text] = [ownMember(value, "approval_id"), ownMember(value, "text")];

  return typeof approvalId === "string" && typeof text === "string" ? [{ approvalId, text, seq: cell.seq }] : [];
};

/** What people asked to be changed, as far as it is for the visit that the run is at; oldest first. */
export const notesHere = (state: RunState): readonly Note[] => asideAt(state, notesPath(state.activation)).flatMap(noteOf);

export const noteOfGate = (state: RunState, approvalId: string): string | null =>
  notesHere(state).find((note) => note.approvalId === approvalId)?.text ?? null;
