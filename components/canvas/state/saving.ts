/**
 * Saving as a state machine: every function takes a draft and what happened, and returns the draft after it. Pure.
 *
 *   rest -> sending -> rest                      the server has it
 *                   -> waiting -> sending        no answer: it is tried again by itself
 *                   -> stopped                   the server says no: tried again after the next edit, or when asked to
 *                   -> conflict -> rest          both changed the same thing: a person chooses
 *   rest -> emptied -> sending                   nothing is left of what was saved: a person says so first
 *
 * Whether there is anything to save is no state of its own: it is whether the document is the one that was saved.
 */
import { mergeGraphs, mergeUnbounded, type Choices } from "@/lib/graph/merge";
import { same } from "@/lib/graph/merge/same";
import type { Graph } from "@/lib/graph/document";
import { computeContentHash } from "@/lib/graph/file";
import { SAVE_REFUSALS, type SaveRefusal } from "@/lib/graph/save-refusal";
import { record, type History } from "./history";

/** What the server has, as far as it is known here. */
export type SavedDraft = {
  readonly revision: number;
  /** Of its content, as the server names it; null: nothing is saved from here. */
  readonly hash: string | null;
  readonly document: Graph;
};

/** A newer one, and who saved since ours; null: the person here, somewhere else. */
export type NewerDraft = SavedDraft & {
  readonly by: readonly (string | null)[];
  /** The hash of the revision right after ours, where the server tells it. */
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

/** A merge that nobody was asked about, so that it can be said and taken back. */
export type MergeNote = { readonly by: NewerDraft["by"]; readonly before: Graph; readonly after: Graph };

export type Draft = {
  readonly history: History;
  readonly base: SavedDraft;
  readonly save: SaveState;
  /** What was sent without an answer: the server may have one of them, and then it is nobody else's. */
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

/** After an edit. What stood still because of the document before may move again. */
export const edited = (draft: Draft, history: History): Draft => {
  const { at } = draft.save;

  return { ...draft, history, save: at === "stopped" || at === "emptied" ? REST : draft.save };
};

const send = (draft: Draft, allowEmpty: boolean, tries: number): Draft => ({
  ...draft,
  save: { at: "sending", sent: { document: draft.history.document, allowEmpty }, tries },
});

/** What is to be sent now, if anything: in `sending` it is, otherwise there is nothing to do or a person decides first. */
export const begin = (draft: Draft): Draft => {
  const { save, history, base } = draft;
  if (save.at === "sending" || save.at === "conflict") return draft;
  // A save without an answer is tried again even if the document is the saved one again: the server may have the other.
  if (save.at !== "waiting" && isSaved(draft)) return { ...draft, save: REST };
  const wasAllowed = save.at === "waiting" && save.sent.allowEmpty && save.sent.document === history.document;
  if (history.document.nodes.length === 0 && base.document.nodes.length > 0 && !wasAllowed) return { ...draft, save: { at: "emptied" } };

  return send(draft, wasAllowed, save.at === "waiting" ? save.tries : 0);
};

/** A person said that nothing may take the place of what is saved. */
export const allowEmpty = (draft: Draft): Draft => (draft.save.at === "emptied" ? send(draft, true, 0) : draft);

/** The draft on top of a newer base. Steps that can be undone are moved over too, so that undoing mine keeps theirs. */
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

/** The draft as a change of what was sent without an answer, if the server had it and others built upon it since. */
const landed = (draft: Draft, next: NewerDraft["next"]): Draft => {
  const own = typeof next === "string" ? draft.unanswered.find((document) => computeContentHash(document) === next) : undefined;

  return own && typeof next === "string" ? { ...draft, base: { revision: draft.base.revision + 1, hash: next, document: own } } : draft;
};

/** Somebody saved since: merged where nothing meets, a conflict where something does. */
const meet = (before: Draft, { next, ...theirs }: NewerDraft): Draft => {
  const draft = landed(before, next);
  const { history, base } = draft;
  const { by: _by, ...newer } = theirs;
  // An answer that was lost: what is newer is what was sent from here.
  const own = draft.unanswered.find((document) => same(document, theirs.document));
  if (own) return { ...draft, base: { ...newer, document: own }, save: REST, unanswered: [] };
  const { document, conflicts } = mergeGraphs(base.document, history.document, theirs.document);
  if (conflicts.length > 0) return { ...draft, save: { at: "conflict", theirs } };
  const after = rebased(draft, theirs, document);
  const isNews = !isSaved(draft) && !same(history.document, document);

  return isNews ? { ...after, merged: { by: theirs.by, before: history.document, after: document } } : after;
};

/** The server's answer to what is being sent. */
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

/**
 * What is being sent came to nothing, as far as is known.
 * @param isLasting trying the same again cannot help
 */
export const failed = (draft: Draft, why: string, isLasting: boolean): Draft => {
  const { save } = draft;
  if (save.at !== "sending") return draft;
  if (isLasting) return { ...draft, save: { at: "stopped", why } };
  const unanswered = [...draft.unanswered, save.sent.document].slice(-MAX_UNANSWERED);

  return { ...draft, unanswered, save: { at: "waiting", sent: save.sent, tries: save.tries + 1, why } };
};

/** A newer draft was seen without saving: read again, or saved from here a moment ago. */
export const arrived = (draft: Draft, theirs: NewerDraft): Draft =>
  theirs.revision <= draft.base.revision || draft.save.at === "sending" ? draft : meet(draft, theirs);

/** A person has chosen. What was edited meanwhile is part of it, and one step back is the same with mine everywhere. */
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

/** Theirs as it is, without anything of mine. */
export const droppedMine = (draft: Draft): Draft => chosen(draft, (theirs) => theirs.document);

/**
 * Goes on with what was kept before the page was lost, as a change of what it was a change of. Nobody waits for an answer
 * any more that is under way: it would be about another document, and make a newer revision the base of the kept one.
 */
export const restoreSignature = (draft: Draft, kept: { readonly base: SavedDraft; readonly document: Graph }): Draft => ({
  ...edited(draft, record(draft.history, kept.document, null)),
  base: kept.base,
  save: REST,
  unanswered: [kept.document],
});

/** Takes a merge back that nobody was asked about; what was edited since stays. */
export const unmerged = (draft: Draft): Draft => {
  if (!draft.merged) return draft;
  const { before, after } = draft.merged;
  const { document } = mergeGraphs(after, draft.history.document, before);

  return { ...edited(draft, record(draft.history, document, null)), merged: null };
};

/** How long until it is saved by itself, in milliseconds; null: not until something happens. */
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
