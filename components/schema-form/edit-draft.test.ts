import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readForm } from "./entered-values";
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { toCanonicalJson, type Json, type JsonObject } from "@/lib/json";
import { toEntered, isUnchanged, findProposed, readJson, readUpdate, updateText } from "./edit-draft";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    customer_id: { type: "string" },
    credit_cents: { type: "integer", default: 5 },
    notify: { type: "boolean" },
    plan: { enum: ["starter", "pro"] },
    tags: { type: "array", items: { type: "string" } },
    contact: { type: "object", properties: { email: { type: "string" } }, additionalProperties: false },
    extra: { type: "object" },
  },
  required: ["customer_id"],
  additionalProperties: false,
};
const ARGS: JsonObject = {
  customer_id: "cus_1",
  notify: false,
  plan: "pro",
  tags: ["a", "b"],
  contact: { email: "a@b.example" },
  extra: { deep: [1, null] },
};

const line = (path: string, op: ViewLine["op"], value: Json | null): ViewLine => ({
  path,
  op,
  before: null,
  after: value === null ? { hidden: true } : { hidden: false, value },
  changed: true,
  integrity: "untrusted",
  confidentiality: "internal",
  provenance: [],
});
const view = (...lines: ViewLine[]) => ({ lines }) as unknown as ApprovalView;

describe("toEntered", () => {
  test("starts from the proposed arguments, without defaults", () => {
    const entered = toEntered(SCHEMA, ARGS);
    expect(entered).not.toBeNull();
    expect(readForm(SCHEMA, entered ?? {}).value).toEqual(ARGS);
  });

  test("returns null when the form can't represent the arguments", () => {
    expect(toEntered(SCHEMA, { ...ARGS, tags: ["one\ntwo"] })).toBeNull();
    expect(toEntered(SCHEMA, { ...ARGS, tags: [" padded "] })).toBeNull();
    expect(toEntered(SCHEMA, { ...ARGS, contact: { email: "" } })).toBeNull();
    expect(toEntered({ type: "object" }, ARGS)).toBeNull();
    expect(toEntered(SCHEMA, { ...ARGS, unknown: 1 })).toBeNull();
  });

  test("round-trips any proposal or returns null", () => {
    const args = fc.record(
      { customer_id: fc.string(), credit_cents: fc.integer(), tags: fc.array(fc.string()), notify: fc.boolean() },
      { requiredKeys: ["customer_id"] },
    );
    expect(
      fc.check(
        fc.property(args, (value) => {
          const entered = toEntered(SCHEMA, value);

          return entered === null || toCanonicalJson(readForm(SCHEMA, entered).value) === toCanonicalJson(value);
        }),
      ),
    ).toMatchObject({ failed: false });
  });
});

describe("findProposed", () => {
  test("returns call arguments by name, dots included", () => {
    expect(
      findProposed(view(line("mail.send.to", "call", "a"), line("mail.send.x.y", "call", 1), line("note", "show", "s")), "mail.send"),
    ).toEqual({
      kind: "arguments",
      value: { to: "a", "x.y": 1 },
    });
  });

  test("returns memory changes", () => {
    expect(findProposed(view(line("plan", "set", "pro")), null)).toEqual({ kind: "updates", value: [{ path: "plan", value: "pro" }] });
  });

  test("returns null when a part is hidden or nothing is proposed", () => {
    expect(findProposed(view(line("mail.send.to", "call", "a"), line("mail.send.key", "call", null)), "mail.send")).toBeNull();
    expect(findProposed(view(line("note", "show", "s")), null)).toBeNull();
    expect(findProposed(view(line("plan", "set", "pro")), "mail.send")).toBeNull();
  });
});

describe("typed values", () => {
  test("keeps strings as text and parses anything else as JSON", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readUpdate("x", updateText(text))).toEqual({ value: text, problem: null });
      }),
    );
    expect(readUpdate({ a: 1 }, updateText({ a: 1 }))).toEqual({ value: { a: 1 }, problem: null });
    for (const bad of ["", "{", "undefined", "NaN"]) expect(readJson(bad).problem).toBe("Enter valid JSON.");
  });

  test("ignores the order of members", () => {
    const proposed = { kind: "arguments", value: { a: 1, b: 2 } } as const;
    expect(isUnchanged(proposed, { arguments: { b: 2, a: 1 } })).toBe(true);
    expect(isUnchanged(proposed, { arguments: { b: 2 } })).toBe(false);
  });
});
