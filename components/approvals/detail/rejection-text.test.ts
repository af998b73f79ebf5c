import { expect, test } from "vitest";
import type { IfDeclined } from "@/lib/engine/approvals/rejection";
import { describeExpiryEnd, describeRejectionLines } from "./rejection-text";

const NOTHING: IfDeclined = { next: null, ends: null, code: null, rests: false, undone: [] };
const said = (change: Partial<IfDeclined>) => describeRejectionLines({ ...NOTHING, ...change }).slice(1);

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
] satisfies [Partial<IfDeclined>, string[]][])("describes %j", (change, lines) => {
  expect(said(change)).toEqual(lines);
});

test("describes a declined question", () => {
  expect(describeRejectionLines({ ...NOTHING, next: { node: "file", title: "File it" } }, true)).toEqual([
    "The tool is told that its question was declined, and its call continues.",
    "The run continues at File it.",
  ]);
});

test.each([
  [{ next: { node: "tell", title: "Tell the customer" } }, "the run continues at Tell the customer"],
  [{ next: { node: "tell", title: "" } }, "the run continues at tell"],
  [{ ends: "cancelled", code: "expired" }, "the run ends as cancelled"],
  [{ rests: true }, "its agent chooses another action"],
] satisfies [Partial<IfDeclined>, string][])("describes the end of an expiry %j", (change, text) => {
  expect(describeExpiryEnd({ ...NOTHING, ...change })).toBe(text);
});
