import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryEdit, consistentGraph } from "@/lib/graph/arbitrary";
import type { Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { computeContentHash } from "@/lib/graph/file";
import { mergeGraphs } from "@/lib/graph/merge";
import { createEmptyGraph } from "@/lib/graph/new-graph";
import { record, startHistory, undo } from "./history";
import {
  awaitAnswer,
  arrived,
  begin,
  droppedMine,
  edited,
  failed,
  restoreSignature,
  unmerged,
  type Draft,
  type NewerDraft,
} from "./saving";

const BASE = createEmptyGraph("Draft");

const draftOf = (base: Graph, ...steps: readonly Graph[]): Draft => ({
  history: steps.reduce((history, step) => record(history, step, null), startHistory(base)),
  base: { revision: 1, hash: "1", document: base },
  save: { at: "rest" },
  unanswered: [],
  merged: null,
});

const newer = (document: Graph, revision = 2): NewerDraft => ({ revision, hash: String(revision), document, by: ["Ada"] });
const conflicting = (draft: Draft, theirs: Graph) => awaitAnswer(begin(draft), { status: "conflict", ...newer(theirs) });
const undone = (draft: Draft): Draft => edited(draft, undo(draft.history));
const documentOf = (draft: Draft) => draft.history.document;

describe("after a merge", () => {
  const named = { ...BASE, name: "Mine" };
  const taken = conflicting(draftOf(BASE, { ...BASE, max_iterations: 7 }, { ...named, max_iterations: 7 }), {
    ...BASE,
    description: "Theirs",
  });

  test("the version saved meanwhile is the base, and undoing my steps keeps theirs", () => {
    expect(taken).toMatchObject({ save: { at: "rest" }, base: { revision: 2, document: { description: "Theirs" } } });
    expect(documentOf(taken)).toMatchObject({ name: "Mine", description: "Theirs", max_iterations: 7 });
    expect(documentOf(undone(taken))).toMatchObject({ name: "Draft", description: "Theirs", max_iterations: 7 });
    expect(documentOf(undone(undone(taken)))).toBe(taken.base.document);
  });

  test("taking the merge back removes their edits, keeps later ones, and can be undone", () => {
    const later = edited(taken, record(taken.history, { ...documentOf(taken), name: "Later" }, null));
    const back = unmerged(later);
    expect(documentOf(back)).toMatchObject({ name: "Later", description: "", max_iterations: 7 });
    expect(back.merged).toBeNull();
    expect(documentOf(undone(back))).toMatchObject({ name: "Later", description: "Theirs" });
  });
});

test("any edits of two people: saved is never what drops one's change without a word", () => {
  const edits = fc.array(arbitraryEdit, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(consistentGraph, edits, edits, (base, own, other) => {
      const steps = own.reduce<Graph[]>((all, edit) => [...all, applyEdit(all.at(-1) ?? base, edit)], []);
      const [mine, theirs] = [steps.at(-1) ?? base, other.reduce(applyEdit, base)];
      const after = arrived(draftOf(base, ...steps), newer(theirs));
      const merge = mergeGraphs(base, mine, theirs);
      expect(after.save.at).toBe(merge.conflicts.length > 0 ? "conflict" : "rest");
      expect(documentOf(after)).toEqual(merge.conflicts.length > 0 ? mine : merge.document);
      // Undo leads to their document, not the common base.
      const first = steps.reduce((draft) => undone(draft), after);
      expect(documentOf(first)).toEqual(merge.conflicts.length > 0 ? base : theirs);
    }),
  );
});

test("ignores an older draft that arrives late and an answer without a request", () => {
  const draft = draftOf(BASE, { ...BASE, name: "Mine" });
  expect(arrived(draft, newer({ ...BASE, name: "Old" }, 1))).toBe(draft);
  expect(awaitAnswer(draft, { status: "saved", revision: 9, hash: "9" })).toBe(draft);
});

test("dropping mine in a conflict is one step that can be undone", () => {
  const mine = { ...BASE, name: "Mine" };
  const theirs = { ...BASE, name: "Theirs", description: "New" };
  const dropped = droppedMine(conflicting(draftOf(BASE, mine), theirs));
  expect(documentOf(dropped)).toEqual(theirs);
  expect(documentOf(undone(dropped))).toMatchObject({ name: "Mine", description: "New" });
});

test("a crash copy of an older revision is merged with later saves, and undone to the state before", () => {
  const kept = { base: { revision: 1, hash: "1", document: BASE }, document: { ...BASE, name: "Kept" } };
  const now = { ...BASE, description: "Since" };
  const opened: Draft = { ...draftOf(now), base: { revision: 2, hash: "2", document: now } };
  const sent = begin(restoreSignature(opened, kept));
  expect(sent).toMatchObject({ save: { at: "sending" }, base: { revision: 1 } });
  const after = awaitAnswer(sent, { status: "conflict", ...newer(now) });
  expect(documentOf(after)).toMatchObject({ name: "Kept", description: "Since" });
  expect(documentOf(undone(after))).toEqual(now);
});

test("a crash copy that is restored while something is being sent overwrites nothing that was saved since it was made", () => {
  const kept = { base: { revision: 1, hash: "1", document: BASE }, document: { ...BASE, name: "Kept" } };
  const now = { ...BASE, description: "Since" };
  const opened: Draft = { ...draftOf(now, { ...now, max_iterations: 7 }), base: { revision: 2, hash: "2", document: now } };
  const landed = awaitAnswer(restoreSignature(begin(opened), kept), { status: "saved", revision: 3, hash: "3" });
  const sent = begin(landed);
  // A save from a stale copy is refused, then merged.
  expect(sent).toMatchObject({ save: { at: "sending", sent: { document: { name: "Kept" } } }, base: { revision: 1 } });
  const after = awaitAnswer(sent, { status: "conflict", ...newer({ ...now, max_iterations: 7 }, 3) });
  expect(documentOf(after)).toMatchObject({ name: "Kept", description: "Since", max_iterations: 7 });
});

test("a save that succeeded after all, with later edits by others, is the base of the next save", () => {
  const lost = { ...BASE, description: "Mine" };
  const waiting = failed(begin(draftOf(BASE, lost)), "No answer.", false);
  const theirs = { ...newer({ ...lost, name: "Theirs" }, 3), next: computeContentHash(lost) };
  const after = awaitAnswer(begin(undone(waiting)), { status: "conflict", ...theirs });
  // Without that revision, the undo would look like no change.
  expect(documentOf(after)).toMatchObject({ name: "Theirs", description: "" });
  expect(after.base).toMatchObject({ revision: 3, document: { description: "Mine" } });
});
