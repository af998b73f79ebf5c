import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { listChangedSentences, compareViews } from "@/lib/engine/approvals/interdiff";
import type { Json } from "@/lib/json";

const line = (path: string, value: Json, change: Partial<ViewLine> = {}): ViewLine => ({
  path,
  op: "call",
  before: null,
  after: value === "hidden" ? { hidden: true } : { hidden: false, value },
  changed: true,
  integrity: "untrusted",
  confidentiality: "internal",
  provenance: [],
  ...change,
});

const view = (lines: readonly ViewLine[], change: Partial<ApprovalView> = {}): ApprovalView => ({
  v: 1,
  approval_id: "00000000-0000-4000-8000-000000000003",
  transition_digest: "a".repeat(64),
  graph_hash: "a".repeat(64),
  policy_hash: "a".repeat(64),
  node: "n",
  reason: "effect",
  prompt: "?",
  summary: null,
  signals: [],
  effect: "Calls it.",
  authority: "No authority change.",
  lines,
  expires_at: 1,
  ...change,
});

const kinds = (before: readonly ViewLine[], after: readonly ViewLine[]) =>
  compareViews(view(before), view(after)).map(({ path, kind }) => [path, kind]);

describe("the difference of two proposals", () => {
  test("marks each line as added, removed, changed or the same", () => {
    expect(kinds([line("a", 1), line("b", 2), line("c", 3)], [line("c", 3), line("a", 9), line("d", 4)])).toEqual([
      ["c", "same"],
      ["a", "changed"],
      ["d", "added"],
      ["b", "removed"],
    ]);
  });

  test("includes lines with only a new label or source", () => {
    expect(kinds([line("a", 1)], [line("a", 1, { integrity: "reviewed" })])).toEqual([["a", "changed"]]);
    expect(kinds([line("a", 1)], [line("a", 1, { provenance: ["user:x"] })])).toEqual([["a", "changed"]]);
  });

  test("does not tell whether a hidden value changed", () => {
    expect(kinds([line("a", "hidden")], [line("a", "hidden")])).toEqual([["a", "hidden"]]);
    expect(kinds([line("a", "hidden")], [line("a", 1)])).toEqual([["a", "hidden"]]);
  });

  test("keeps two writes of a path apart, and arguments from memory", () => {
    expect(kinds([line("a", 1), line("a", 2)], [line("a", 1), line("a", 3)])).toEqual([
      ["a", "same"],
      ["a", "changed"],
    ]);
    expect(kinds([line("a", 1)], [line("a", 1, { op: "set" })])).toEqual([
      ["a", "added"],
      ["a", "removed"],
    ]);
  });

  test("includes every line of both, and is empty for equal views", () => {
    const lines = fc
      .array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 0, max: 2 })))
      .map((all) => all.map(([at, value]) => line(at, value)));
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = compareViews(view(before), view(after));
        expect(found.flatMap(({ after: is }) => is ?? [])).toEqual(after);
        expect(found.flatMap(({ before: was }) => was ?? [])).toHaveLength(before.length);
        expect(compareViews(view(before), view(before)).every(({ kind }) => kind === "same")).toBe(true);
      }),
    );
  });

  test("names changed sentences", () => {
    expect(listChangedSentences(view([]), view([], { authority: "Irreversible." }))).toEqual(["authority"]);
    expect(listChangedSentences(view([]), view([]))).toEqual([]);
  });
});
