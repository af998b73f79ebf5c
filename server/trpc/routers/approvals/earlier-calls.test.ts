import { describe, expect, test } from "vitest";
import type { ViewLine } from "@/lib/engine/approvals/approval-view";
import type { Json } from "@/lib/json";
import { matchCalls } from "./earlier-calls";

const line = (name: string, value: Json | null): ViewLine => ({
  path: `crm.update.${name}`,
  op: "call",
  before: null,
  after: value === null ? { hidden: true } : { hidden: false, value },
  changed: true,
  integrity: "trusted",
  confidentiality: "internal",
  provenance: [],
});

describe("an earlier call", () => {
  const lines = [line("customer_id", "c1"), line("tags", ["x", "y"])];

  test("is about the same target whatever else it sets, and alike only with the same arguments", () => {
    const matching = matchCalls({ lines }, { customer_id: "c1" });
    expect(matching?.isAbout({ customer_id: "c1", tags: [] })).toBe(true);
    expect(matching?.isAbout({ customer_id: "c2", tags: ["x", "y"] })).toBe(false);
    expect([matching?.isAlike({ tags: ["x", "y"], customer_id: "c1" }), matching?.isAlike({ customer_id: "c1" })]).toEqual([true, false]);
  });

  test("without a target is about the same only with the same arguments", () => {
    const matching = matchCalls({ lines: [line("text", "hello")] }, {});
    expect([matching?.isAbout({ text: "hello" }), matching?.isAbout({ text: "bye" }), matching?.isAbout({})]).toEqual([true, false, false]);
  });

  test("is compared with no argument that is hidden from the reader", () => {
    const hidden = [line("customer_id", "c1"), line("note", null)];
    expect(matchCalls({ lines: hidden }, { customer_id: "c1" })?.isAlike({ customer_id: "c1" })).toBe(false);
    expect(matchCalls({ lines: hidden }, {})).toBeNull();
  });
});
