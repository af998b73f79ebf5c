import { expect, test } from "vitest";
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import type { InputQuestion } from "@/lib/engine/approvals/tool-input";
import type { Json } from "@/lib/json";
import { toDraft, describeHint, listQuestions } from "./answer-draft";

const QUESTION: InputQuestion = {
  message: "Where?",
  fields: [
    { name: "centre", required: true, kind: "text", min_length: 4 },
    { name: "count", required: false, kind: "number", integer: true, minimum: 1 },
    { name: "sure", required: false, kind: "boolean", suggested: true },
    {
      name: "kind",
      required: true,
      kind: "choice",
      options: [
        { value: "", title: "None" },
        { value: "a", title: "A" },
      ],
      suggested: "a",
    },
    {
      name: "tags",
      required: false,
      kind: "choices",
      options: [
        { value: "x", title: "X" },
        { value: "y", title: "Y" },
      ],
      max_items: 1,
    },
  ],
};
const view = (after: ViewLine["after"]) => ({ lines: [{ op: "ask", after } as ViewLine] }) as unknown as ApprovalView;

test("builds the answer by field name", () => {
  const entered = { "0.0": ["4711"], "0.1": [" 3 "], "0.2": ["no"], "0.3": ["0"], "0.4": ["1"] };
  expect(toDraft([QUESTION], entered)).toEqual({
    answers: [{ centre: "4711", count: 3, sure: false, kind: "", tags: ["y"] }],
    faults: new Map(),
  });
});

test("never fills in suggestions of the server", () => {
  const { answers, faults } = toDraft([QUESTION], { "0.0": ["4711"] });
  expect(answers).toBeNull();
  expect([...faults.keys()]).toEqual(["0.3"]);
  expect(toDraft([QUESTION], { "0.0": ["4711"], "0.3": ["1"] }).answers).toEqual([{ centre: "4711", kind: "a" }]);
});

test("reports errors by field", () => {
  const { answers, faults } = toDraft([QUESTION], { "0.0": ["471"], "0.1": ["many"], "0.3": ["7"], "0.4": ["0", "1"] });
  expect(answers).toBeNull();
  expect(Object.fromEntries(faults)).toEqual({
    "0.0": "Enter at least 4 characters.",
    "0.1": "Enter a number.",
    "0.3": "Required.",
    "0.4": "Choose at most 1.",
  });
});

test("returns no questions when one is hidden from the reader", () => {
  expect(listQuestions(view({ hidden: false, value: QUESTION as unknown as Json }))).toEqual([QUESTION]);
  expect(listQuestions(view({ hidden: true }))).toBeNull();
});

test("describes what a field accepts", () => {
  expect(QUESTION.fields.map(describeHint)).toEqual([
    "at least 4 characters",
    "optional; a whole number; at least 1",
    "optional",
    "",
    "optional; at most 1 choice",
  ]);
});
