import { expect, test } from "vitest";
import type { IfRejected } from "@/lib/engine/approvals/rejection";
import { describeRejectionLines } from "./rejection-text";

const NOTHING: IfRejected = { next: null, ends: null, code: null, rests: false, undone: [] };
const said = (change: Partial<IfRejected>) => describeRejectionLines({ ...NOTHING, ...change }).slice(1);

test.each([
  [{ ends: "cancelled", code: "rejected" }, ["The run ends as cancelled (rejected)."]],
  [{ next: { node: "tell", title: "Tell the customer" } }, ["The run continues at Tell the customer."]],
  [{ next: { node: "tell", title: "" } }, ["The run continues at tell."]],
  [{ rests: true }, ["The run stays at the previous step until its agent takes another action."]],
  [{}, ["The run waits."]],
  [
    { ends: "failed", undone: [{ node: "pay", server: "bank", tool: "refund" }] },
    ["First, the run rolls back its effects, newest first: bank.refund for pay.", "The run ends as failed."],
  ],
] satisfies [Partial<IfRejected>, string[]][])("describes %j", (change, lines) => {
  expect(said(change)).toEqual(lines);
});

test("describes a declined question", () => {
  expect(describeRejectionLines({ ...NOTHING, next: { node: "file", title: "File it" } }, true)).toEqual([
    "The tool is told that its question was declined, and its call continues.",
    "The run continues at File it.",
  ]);
});
