/**
 * Save state machine of pure functions.
 *
 *   rest -> sending -> rest                    saved
 *                   -> waiting -> sending      no answer: retried
 *                   -> stopped                 refused: retried after an edit or on request
 *                   -> conflict -> rest        a person chooses
 *   rest -> emptied -> sending                 a person confirms
 *
 * Unsaved changes are no state: the document differs from the saved one.
 */
import { mergeGraphs, mergeUnbounded, type Choices } from "@/lib/graph/merge";
import { same } from "@/lib/graph/merge/same";
import type { Graph } from "@/lib/graph/document";
import { computeContentHash } from "@/lib/graph/file";
import { SAVE_REFUSALS, type SaveRefusal } from "@/lib/graph/save-refusal";
import { record, type History } from "./history";

export type SavedDraft = {
  readonly revision: number;
  /** Content hash by the server; null: nothing is saved from here. */
  readonly hash: string | null;
  readonly document: Graph;
};

/** Newer draft and who saved it; null: this person elsewhere. */
export type NewerDraft = SavedDraft & {
  readonly by: readonly (string | null)[];
  /** Hash of the revision after ours, if known. */
  readonly next?: string | null;
};

type Sent = { readonly document: Graph; readonly allowEmpty: boolean };

export type SaveState =
  | { readonly at: "rest" }
  | { readonly at: "sending"; readonly sent: Sent; readonly tries: number }
  | { readonly at: "waiting"; readonly sent: Sent; readonly tries: number; readonly why: string }
  | { readonly at: "stopped"; readonly why: string }
  | { readonly at: "emptied" }
  | { readonly at: "conflict"; readonly theirs: NewerDraft };

/** An automatic merge, to report and revert. */
export type MergeNote = { readonly by: NewerDraft["by"]; readonly before: Graph; readonly after: Graph };

export type Draft = {
  readonly history: History;
  readonly base: SavedDraft;
  readonly save: SaveState;
  /** The server may have one of these; it is ours. */
  readonly unanswered: readonly Graph[];
  readonly merged: MergeNote | null;
};

export type SaveAnswer =
  | { readonly status: "saved"; readonly revision: number; readonly hash: string }
  | ({ readonly status: "conflict" } & NewerDraft)
  | { readonly status: "refused"; readonly code: SaveRefusal };

const REST: SaveState = { at: "rest" };
const MAX_UNANSWERED = 50;

export const isSaved = ({ history, base }: Pick<Draft, "history" | "base">): boolean => history.document === base.document;

/** Applies an edit; stopped saves may resume. */
export const edited = (draft: Draft, history: History): Draft => {
  const { at } = draft.save;

  return { ...draft, history, save: at === "stopped" || at === "emptied" ? REST : draft.save };
};

const send = (draft: Draft, allowEmpty: boolean, tries: number): Draft => ({
  ...draft,
  save: { at: "sending", sent: { document: draft.history.document, allowEmpty }, tries },
});

export const begin = (draft: Draft): Draft => {
  const { save, history, base } = draft;
  if (save.at === "sending" || save.at === "conflict") return draft;
  // Retried even if reverted: the server may have the other document.
  if (save.at !== "waiting" && isSaved(draft)) return { ...draft, save: REST };
  const wasAllowed = save.at === "waiting" && save.sent.allowEmpty && save.sent.document === history.document;
  if (history.document.nodes.length === 0 && base.document.nodes.length > 0 && !wasAllowed) return { ...draft, save: { at: "emptied" } };

  return send(draft, wasAllowed, save.at === "waiting" ? save.tries : 0);
};

/** Confirms saving an empty graph. */
export const allowEmpty = (draft: Draft): Draft => (draft.save.at === "emptied" ? send(draft, true, 0) : draft);

/** Rebases undo steps too, so that undoing mine keeps theirs. */
const rebased = (draft: Draft, { by: _by, ...theirs }: NewerDraft, document: Graph): Draft => {
  const { history, base } = draft;
  const moved = (step: Graph): Graph =>
    step === base.document ? theirs.document : mergeUnbounded(base.document, step, theirs.document).document;

  return {
    ...draft,
    base: theirs,
    save: REST,
    unanswered: [],
    history: {
      document: same(document, theirs.document) ? theirs.document : document,
      past: history.past.map(moved),
      future: history.future.map(moved),
      group: null,
    },
  };
};

/** Rebases on an unanswered save that the server had. */
const landed = (draft: Draft, next: NewerDraft["next"]): Draft => {
  const own = typeof next === "string" ? draft.unanswered.find((document) => computeContentHash(document) === next) : undefined;

  return own && typeof next === "string" ? { ...draft, base: { revision: draft.base.revision + 1, hash: next, document: own } } : draft;
};

const meet = (before: Draft, { next, ...theirs }: NewerDraft): Draft => {
  const draft = landed(before, next);
  const { history, base } = draft;
  const { by: _by, ...newer } = theirs;
  const own = draft.unanswered.find((document) => same(document, theirs.document));
  if (own) return { ...draft, base: { ...newer, document: own }, save: REST, unanswered: [] };
  const { document, conflicts } = mergeGraphs(base.document, history.document, theirs.document);
  if (conflicts.length > 0) return { ...draft, save: { at: "conflict", theirs } };
  const after = rebased(draft, theirs, document);
  const isNews = !isSaved(draft) && !same(history.document, document);

  return isNews ? { ...after, merged: { by: theirs.by, before: history.document, after: document } } : after;
};

/** Applies the server's answer. */
export const awaitAnswer = (draft: Draft, answer: SaveAnswer): Draft => {
  if (draft.save.at !== "sending") return draft;
  const { sent } = draft.save;
  switch (answer.status) {
    case "saved": {
      const { revision, hash } = answer;

      return { ...draft, base: { revision, hash, document: sent.document }, save: REST, unanswered: [] };
    }
    case "conflict": {
      const { status: _status, ...theirs } = answer;

      return meet({ ...draft, unanswered: [...draft.unanswered, sent.document] }, theirs);
    }
    case "refused":
      return { ...draft, save: answer.code === "empty_replaces" ? { at: "emptied" } : { at: "stopped", why: SAVE_REFUSALS[answer.code] } };
    default:
      return answer satisfies never;
  }
};

/** Records a failed save. @param isLasting a retry can't help */
export const failed = (draft: Draft, why: string, isLasting: boolean): Draft => {
  const { save } = draft;
  if (save.at !== "sending") return draft;
  if (isLasting) return { ...draft, save: { at: "stopped", why } };
  const unanswered = [...draft.unanswered, save.sent.document].slice(-MAX_UNANSWERED);

  return { ...draft, unanswered, save: { at: "waiting", sent: save.sent, tries: save.tries + 1, why } };
};

/** Records a newer draft, seen without saving. */
export const arrived = (draft: Draft, theirs: NewerDraft): Draft =>
  theirs.revision <= draft.base.revision || draft.save.at === "sending" ? draft : meet(draft, theirs);

/** Includes later edits; one undo restores mine everywhere. */
const chosen = (draft: Draft, documentOf: (theirs: NewerDraft) => Graph): Draft => {
  if (draft.save.at !== "conflict") return draft;
  const { theirs } = draft.save;
  const mine = mergeGraphs(draft.base.document, draft.history.document, theirs.document).document;
  const after = rebased(draft, theirs, mine);
  const document = documentOf(theirs);

  return { ...after, history: same(mine, document) ? after.history : record(after.history, document, null) };
};

export const resolved = (draft: Draft, choices: Choices): Draft =>
  chosen(draft, (theirs) => mergeGraphs(draft.base.document, draft.history.document, theirs.document, choices).document);

/** Takes theirs without mine. */
export const droppedMine = (draft: Draft): Draft => chosen(draft, (theirs) => theirs.document);

/** Restores a kept copy on its own base. Ignores pending answers, which would move that base to a newer revision. */
export const restoreSignature = (draft: Draft, kept: { readonly base: SavedDraft; readonly document: Graph }): Draft => ({
  ...edited(draft, record(draft.history, kept.document, null)),
  base: kept.base,
  save: REST,
  unanswered: [kept.document],
});

/** Reverts an automatic merge but keeps later edits. */
export const unmerged = (draft: Draft): Draft => {
  if (!draft.merged) return draft;
  const { before, after } = draft.merged;
  const { document } = mergeGraphs(after, draft.history.document, before);

  return { ...edited(draft, record(draft.history, document, null)), merged: null };
};

/** Autosave delay in milliseconds; null: none. */
export const delayMsOf = (draft: Draft): number | null => {
  switch (draft.save.at) {
    case "rest":
      return isSaved(draft) ? null : 1_500;
    case "waiting":
      return Math.min(60_000, 1_000 * 2 ** draft.save.tries);
    case "sending":
    case "stopped":
    case "emptied":
    case "conflict":
      return null;
    default:
      return draft.save satisfies never;
  }
};
