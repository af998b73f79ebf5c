import { describe, expect, it } from "vitest";
import { ruleSchema } from "@/lib/approval-rules/rule";
import { uuid } from "@/lib/engine/testing/run";
import { listArguments } from "./amount-arguments";
import { ANY, NEW_RULE, ruleFieldsSchema, toRule } from "./rule-values";

describe("the fields of a rule", () => {
  it("make a rule for every change by default", () => {
    expect(toRule(NEW_RULE, false)).toEqual({ when: { effect: "write" }, needs: { groups: [], people: [], count: 1 } });
  });

  it("can name an environment", () => {
    expect(toRule({ ...NEW_RULE, environment: "staging" }, false).when).toEqual({ effect: "write", environment: "staging" });
  });

  it("turn an amount into the argument's unit", () => {
    const fields = { ...NEW_RULE, tool: "payments/refund", argument: "amount", from: "1000.29", currency: "currency", code: "EUR" };
    const { when, needs } = toRule(fields, true);
    expect(when.amount).toEqual({ argument: "amount", from: 100_029, cents: true, currency: { argument: "currency", code: "EUR" } });
    expect(ruleSchema.safeParse({ id: uuid(1), when, needs }).success).toBe(true);
    expect(toRule(fields, false).when.amount?.from).toBe(1_000.29);
    expect(toRule({ ...fields, total: true }, false).when.amount?.total).toBe(true);
    expect(toRule({ ...fields, tool: ANY }, false).when).not.toHaveProperty("amount");
  });

  it.each([
    ["", "from"],
    ["-5", "from"],
    ["1,000", "from"],
    ["1e3", "from"],
  ])("refuse the amount %j", (from, field) => {
    const parsed = ruleFieldsSchema.safeParse({ ...NEW_RULE, tool: "payments/refund", argument: "amount", from });
    expect(parsed.error?.issues[0]?.path).toEqual([field]);
  });

  it("need a currency's code with its argument", () => {
    const fields = { ...NEW_RULE, tool: "payments/refund", argument: "amount", from: "5", currency: "currency" };
    expect(ruleFieldsSchema.safeParse({ ...fields, code: "euro" }).error?.issues[0]?.path).toEqual(["code"]);
    expect(ruleFieldsSchema.safeParse({ ...fields, code: "eur" }).data?.code).toBe("EUR");
  });
});

it("finds the amounts among a tool's arguments, also in lists", () => {
  const schema = {
    type: "object",
    properties: {
      amount_cents: { type: "integer", format: "money-cents" },
      note: { type: "string" },
      parts: { type: "array", items: { type: "number" } },
      items: { type: "array", items: { type: "object", properties: { price: { type: ["number", "null"] } } } },
    },
  };
  expect(listArguments(schema, ["number", "integer"])).toEqual([
    { path: "amount_cents", cents: true },
    { path: "parts", cents: false },
    { path: "items.price", cents: false },
  ]);
});
