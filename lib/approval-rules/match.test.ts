import { describe, expect, it } from "vitest";
import { applies, type RuledCall } from "@/lib/approval-rules/match";
import { needsSchema, whenSchema, type When } from "@/lib/approval-rules/rule";
import { describeRule } from "@/lib/approval-rules/text";
import { uuid } from "@/lib/engine/testing/run";
import type { JsonObject } from "@/lib/json";

const needs = { groups: ["Finance"], people: [], count: 1 };
const CALL: RuledCall = {
  graphs: ["desk"],
  server: "payments",
  tool: "refund",
  effect: "write",
  label: { integrity: "trusted", confidentiality: "internal" },
  args: { amount: 500 },
};
const isBound = (when: Partial<When>, call: Partial<RuledCall> = {}) =>
  applies({ id: uuid(1), when: { effect: "write", ...when }, needs }, { ...CALL, ...call });

describe("a rule by graph, tool, effect and label", () => {
  it.each<[string, Partial<When>, Partial<RuledCall>, boolean]>([
    ["the graph", { graph: "desk" }, {}, true],
    ["another graph", { graph: "other" }, {}, false],
    ["a subgraph of the run's", { graph: "child" }, { graphs: ["desk", "child"] }, true],
    ["the tool", { server: "payments", tool: "refund" }, {}, true],
    ["the tool's name on another server", { server: "other", tool: "refund" }, {}, false],
    ["a lower effect class", { effect: "irreversible" }, {}, false],
    ["a higher effect class", {}, { effect: "irreversible" }, true],
    ["a read, which is not named", {}, { effect: "read" }, false],
    ["a read, which is named", { effect: "read" }, { effect: "read" }, true],
    ["data above the label", { confidentiality: "pii" }, { label: { integrity: "trusted", confidentiality: "secret" } }, true],
    ["data below the label", { confidentiality: "pii" }, {}, false],
    ["trusted data", { untrusted: true }, {}, false],
    ["untrusted data", { untrusted: true }, { label: { integrity: "untrusted", confidentiality: "public" } }, true],
  ])("compares %s", (_what, when, call, expected) => {
    expect(isBound(when, call)).toBe(expected);
  });
});

describe("a rule by amount", () => {
  const tool = { server: "payments", tool: "refund" };
  const by = (args: JsonObject, amount: Partial<NonNullable<When["amount"]>> = {}) =>
    isBound({ ...tool, amount: { argument: "amount", from: 1_000, ...amount } }, { args });

  it.each<[string, JsonObject, boolean]>([
    ["below", { amount: 999.99 }, false],
    ["at", { amount: 1_000 }, true],
    ["negative", { amount: -1_000 }, true],
    ["small and negative", { amount: -5 }, false],
    ["as text", { amount: "1000" }, true],
    ["as smaller text", { amount: "999.99" }, false],
    ["as text in another notation", { amount: "1e1" }, true],
    ["with a separator", { amount: "5 " }, true],
    ["missing", {}, true],
    ["null", { amount: null }, true],
    ["an object", { amount: { value: 1 } }, true],
    ["a list whose sum reaches it", { amount: [400, -600] }, true],
    ["a list whose sum is below", { amount: [400, 500] }, false],
    ["an empty list", { amount: [] }, true],
    ["a list with something else", { amount: [1, true] }, true],
  ])("%s", (_what, args, expected) => {
    expect(by(args)).toBe(expected);
  });

  it("adds the amounts of a list of items", () => {
    const items = (...amounts: number[]) => ({ items: amounts.map((amount) => ({ amount })) });
    expect(by(items(500, 499), { argument: "items.amount" })).toBe(false);
    expect(by(items(500, 500), { argument: "items.amount" })).toBe(true);
    expect(by({ items: [{ amount: 1 }, {}] }, { argument: "items.amount" })).toBe(true);
  });

  it("applies to all other currencies, and to a missing one", () => {
    const currency = { argument: "currency", code: "EUR" };
    expect(by({ amount: 5, currency: "EUR" }, { currency })).toBe(false);
    expect(by({ amount: 5, currency: "KWD" }, { currency })).toBe(true);
    expect(by({ amount: 5 }, { currency })).toBe(true);
    expect(by({ amount: 5, currency: ["EUR", "KWD"] }, { currency })).toBe(true);
    expect(by({ amount: 5, currency: [] }, { currency })).toBe(true);
  });

  it("adds the run's earlier calls if it is over a total, and applies once one is unknown", () => {
    const after = (earlier: readonly (JsonObject | null)[], total: { total?: true } = { total: true }) =>
      isBound({ ...tool, amount: { argument: "amount", from: 1_000, ...total } }, { listEarlier: () => earlier });
    expect(after([{ amount: 499 }])).toBe(false);
    expect(after([{ amount: 250 }, { amount: -250 }])).toBe(true);
    expect(after([{ amount: 500 }], {})).toBe(false);
    expect(after([{}])).toBe(true);
    expect(after([null])).toBe(true);
  });

  it("reads own members only", () => {
    expect(by(JSON.parse('{"__proto__":{"amount":5}}') as JsonObject)).toBe(true);
  });

  it("needs a tool, and a tool its server", () => {
    const amount = { argument: "amount", from: 1 };
    expect(whenSchema.safeParse({ effect: "write", amount }).success).toBe(false);
    expect(whenSchema.safeParse({ effect: "write", tool: "refund" }).success).toBe(false);
    expect(whenSchema.safeParse({ effect: "write", ...tool, amount }).success).toBe(true);
  });
});

it.each<[When, Parameters<typeof describeRule>[0]["needs"], string]>([
  [
    { effect: "write", server: "payments", tool: "refund", amount: { argument: "amount", from: 100_000, cents: true } },
    needs,
    "amount from 1,000.00 in refund on payments needs an approval by Finance.",
  ],
  [
    { effect: "irreversible", confidentiality: "pii", graph: "desk" },
    { groups: ["Finance"], people: [uuid(2)], count: 2, passkey: true },
    "Irreversible calls with personal or secret data by desk need 2 approvals by Finance or Ada and a passkey.",
  ],
  [
    { effect: "write", server: "payments", tool: "refund", amount: { argument: "amount", from: 5, total: true } },
    { groups: [], people: [uuid(3), uuid(4)], count: 2 },
    "A run's total amount from 5 in refund on payments needs 2 approvals by 2 named people.",
  ],
  [
    { effect: "write" },
    { groups: ["Finance"], people: [], count: 1, passkey: true, escalation: { after_ms: 14_400_000, group: "Support" } },
    "Changes need an approval by Finance (after 4 h also by Support) and a passkey.",
  ],
  [
    { effect: "write", untrusted: true },
    { groups: [], people: [], count: 2, not_publisher: true },
    "Changes with untrusted data need 2 approvals and no approval by the publisher.",
  ],
])("is described in a sentence", (when, asked, text) => {
  expect(describeRule({ id: uuid(1), when, needs: asked }, { [uuid(2)]: "Ada" })).toBe(text);
});

it("an escalation needs people or groups who are asked first", () => {
  const escalation = { after_ms: 3_600_000, group: "Support" };
  expect(needsSchema.safeParse({ ...needs, escalation }).success).toBe(true);
  expect(needsSchema.safeParse({ ...needs, groups: [], escalation }).success).toBe(false);
});
