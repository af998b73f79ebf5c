import * as fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryEdit, consistentGraph } from "@/lib/graph/arbitrary";
import { applyEdit } from "@/lib/graph/edit";
import { endGroup, record, redo, startHistory, undo, type History } from "./history";

const repeat = (history: History, times: number, step: (history: History) => History): History =>
  Array.from({ length: times }).reduce<History>(step, history);

test("undoing everything restores the first document byte for byte, and redoing everything the last", () => {
  fc.assert(
    fc.property(consistentGraph, fc.array(fc.tuple(arbitraryEdit, fc.constantFrom(null, "typing")), { maxLength: 30 }), (start, edits) => {
      const first = JSON.stringify(start);
      const end = edits.reduce((history, [edit, group]) => record(history, applyEdit(history.document, edit), group), startHistory(start));
      const last = JSON.stringify(end.document);
      const undone = repeat(end, edits.length, undo);
      expect(JSON.stringify(undone.document)).toBe(first);
      expect(JSON.stringify(repeat(undone, edits.length, redo).document)).toBe(last);
    }),
  );
});

const name = (text: string) => (history: History) => record(history, { ...history.document, name: text }, "name");
const [start] = fc.sample(consistentGraph, 1);

test("typing in one field is one step; leaving the field ends it", () => {
  const typed = ["R", "Re", "Ref"].reduce((history, text) => name(text)(history), startHistory(start!));
  expect(typed.past).toHaveLength(1);
  expect(name("Refund")(endGroup(typed)).past).toHaveLength(2);
});

test("an edit after an undo drops the undone steps", () => {
  const edited = name("B")(undo(name("A")(startHistory(start!))));
  expect(edited.future).toEqual([]);
  expect(redo(edited)).toBe(edited);
});

test("an edit that changes nothing is no step", () => {
  const history = startHistory(start!);
  expect(record(history, history.document, null)).toBe(history);
});
