import { createSourceLabel } from "@/lib/graph/label";
import { ownMember } from "@/lib/json";
import type { Write } from "@/lib/engine/decide/verdict";
import type { Refusal } from "@/lib/refusal";
import { findAside, getKnownValue, type Cell, type RunState } from "@/lib/engine/state";

export const getNotesPath = (activation: number | null): string => `$changes.${activation}`;

/** Builds the note for a visit. */
export const noteFor = (activation: number | null, approvalId: string, user: string, text: string): Write => ({
  path: getNotesPath(activation),
  value: { approval_id: approvalId, text: text.toWellFormed() },
  label: createSourceLabel("trusted", "internal", `user:${user}`),
});

export type Note = { readonly approvalId: string; readonly text: string; readonly seq: number };

const noteOf = (cell: Cell): Note[] => {
  const value = getKnownValue(cell);
  const [approvalId, text] = [ownMember(value, "approval_id"), ownMember(value, "text")];

  return typeof approvalId === "string" && typeof text === "string" ? [{ approvalId, text, seq: cell.seq }] : [];
};

/** Returns the visit's notes, oldest first. */
export const listNotes = (state: RunState): readonly Note[] => findAside(state, getNotesPath(state.activation)).flatMap(noteOf);

const ANSWERS: readonly Refusal["code"][] = ["changes_requested", "call_rejected", "call_repeated"];

/** Returns a person's words about a refused call, or null. */
export const findNote = (state: RunState, { code, ids }: Pick<Refusal, "code" | "ids">): string | null => {
  if (!ANSWERS.includes(code)) return null;
  const notes = state.aside.filter(({ path }) => path.startsWith("$changes.")).flatMap(noteOf);

  return notes.find((note) => note.approvalId === ids.at(-1))?.text ?? null;
};
