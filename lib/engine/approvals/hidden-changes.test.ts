import { describe, expect, it, test } from "vitest";
import { buildApprovalView, type ApprovalView } from "@/lib/engine/approvals/approval-view";
import { getSchemaAt, listTexts } from "@/lib/engine/approvals/argument-format";
import { listParts, listToSee, MOST_OPEN } from "@/lib/engine/approvals/view-parts";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { call, intent, openGate, result, started, update, type TestRun } from "@/lib/engine/testing/run";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Json, JsonObject } from "@/lib/json";

const SCHEMA = {
  type: "object",
  properties: {
    customer_id: { type: "string", "x-entity": "customer" },
    owner: { type: "string", "x-entity": { id: "user_id", name: "full_name" } },
    plan: { type: "string" },
    credit_cents: { type: "integer", format: "money-cents", "x-currency": "EUR" },
    due: { type: "string", format: "date-time" },
    mail: { type: "string", format: "email" },
  },
};

const withSchema = (published: PublishedGraph, schema: JsonObject = SCHEMA): PublishedGraph => ({
  ...published,
  tools: published.tools.map((tool) => (tool.tool === "update" ? { ...tool, input_schema: schema } : tool)),
});

/** An agent makes the call after a node, and perhaps itself, looked records up. */
const PUBLISHED = withSchema(
  publishWith({
    memory: [
      { key: "topic", schema: { type: "string" } },
      { key: "mail", schema: {} },
      { key: "request", schema: {} },
      { key: "result", schema: {} },
    ],
    inputs: { type: "object", properties: { topic: {} }, required: ["topic"] },
    nodes: nodesWith("parse", { write_keys: ["request"] }),
    agentTools: [
      { server: "crm", tool: "update" },
      { server: "docs", tool: "read" },
    ],
  }),
);

const ROBIN = { customer_id: "cus_1002", name: "Robin Castell", plan: "starter", credit_cents: 0 };

type Asked = { readonly found?: Json; readonly byAgent?: Json; readonly published?: PublishedGraph };

const asking = (args: JsonObject, { found = { customer: ROBIN }, byAgent, published = PUBLISHED }: Asked = {}): TestRun => {
  const run = started(published);
  call(run, "docs", "read", { topic: "plans" }, found);
  run.work(result(update("mail", "hello")));
  if (byAgent !== undefined) call(run, "docs", "read", { topic: "others" }, byAgent, "look");
  run.work(intent("crm", "update", args, "write"));

  return run;
};

const viewOf = (run: TestRun): ApprovalView => buildApprovalView(run.published, run.state(), openGate(run), "pii");
const viewOfCall = (args: JsonObject, asked?: Asked): ApprovalView => viewOf(asking(args, asked));
const codesOf = (args: JsonObject, asked?: Asked): readonly string[] => viewOfCall(args, asked).signals.map(({ code }) => code);
const lineOf = (view: ApprovalView, name: string) => view.lines.find(({ path }) => path === `crm.update.${name}`);
const partsOf = (view: ApprovalView) => view.lines.flatMap((line, index) => listParts(line, index));

describe("another record", () => {
  it("is told although the agent looked it up itself", () => {
    const view = viewOfCall({ customer_id: "cus_1005" }, { byAgent: { customer_id: "cus_1005", name: "Jonas Okafor", plan: "business" } });
    expect(view.signals[0]).toEqual({
      code: "different_record",
      risk: "high",
      text: "Different customer_id: the run looked up cus_1002 (Robin Castell), this call names cus_1005 (Jonas Okafor). An agent looked that up.",
    });
  });

  it("has its own values before, not those of the record that the run looked up", () => {
    const byAgent = { customer_id: "cus_1005", name: "Jonas Okafor", plan: "business" };
    const view = viewOfCall({ customer_id: "cus_1005", plan: "business" }, { byAgent });
    expect(lineOf(view, "plan")).toMatchObject({ before: { value: "business" }, changed: false });
  });

  it("is told behind thousands of records that the agent looked up", () => {
    const byAgent = Array.from({ length: 5_000 }, (_none, index) => ({ customer_id: `cus_${index}` }));
    expect(codesOf({ customer_id: "cus_4999" }, { byAgent })).toContain("different_record");
  });

  it("is told behind a record that holds a stranger's identity", () => {
    const found = { customer: { ...ROBIN, metadata: { customer_id: "cus_1005", name: "Robin Castell" } } };
    expect(codesOf({ customer_id: "cus_1005" }, { found })).toContain("different_record");
  });

  it("is told although many other arguments look like identities", () => {
    const args = Object.fromEntries(Array.from({ length: 60 }, (_none, index) => [`a${index}_id`, "x"]));
    expect(codesOf({ ...args, customer_id: "cus_1005" })).toContain("different_record");
  });

  it("is told where the identity is a number of the same digits", () => {
    expect(codesOf({ customer_id: "7" }, { found: { customer_id: 7 } })).toContain("different_record");
  });

  it("is told where it looks the same", () => {
    const signals = viewOfCall({ customer_id: "\u0441us_1002" }).signals.map(({ code }) => code);
    expect(signals).toEqual(expect.arrayContaining(["different_record", "lookalike"]));
  });

  test("with a name of its own letters looks the same as that before", () => {
    const found = { customer: { ...ROBIN, plan: "\u0430\u0440\u0435\u0445" } };
    expect(codesOf({ customer_id: "cus_1002", plan: "apex" }, { found })).toContain("lookalike");
  });
});

describe("the values before", () => {
  it("are unknown where records of one identity disagree", () => {
    const found = [ROBIN, { ...ROBIN, plan: "business" }];
    const view = viewOfCall({ customer_id: "cus_1002", plan: "business", credit_cents: 5 }, { found });
    expect(lineOf(view, "plan")).toMatchObject({ before: null, changed: true });
    expect(lineOf(view, "credit_cents")?.before).toMatchObject({ value: 0 });
  });

  test.each([
    ["1000", 1_000],
    [true, "true"],
    [null, "null"],
  ] as const)("of another type are not the same (%j and %j)", (before, after) => {
    const view = viewOfCall({ customer_id: "cus_1002", level: after }, { found: { ...ROBIN, level: before } });
    expect(lineOf(view, "level")?.changed).toBe(true);
    expect(partsOf(view).find(({ key }) => key.startsWith("1 "))?.op).toBe("replace");
  });

  it("come from where x-entity says that a record has its identity and name", () => {
    const view = viewOfCall({ owner: "u7" }, { found: { users: [{ user_id: "u7", full_name: "Ada Marsh", owner: "u1" }] } });
    expect(lineOf(view, "owner")?.after).toEqual({ hidden: false, value: "u7", texts: { "[]": "u7 (Ada Marsh)" } });
    expect(codesOf({ owner: "u9" }, { found: { users: [{ user_id: "u7" }] } })).toContain("different_record");
  });

  it("come from a bounded walk, the outermost records first", () => {
    const padding = Array.from({ length: 30_000 }, () => ({ a: { b: 1 } }));
    const found = { customer: ROBIN, padding };
    expect(lineOf(viewOfCall({ customer_id: "cus_1002", plan: "team" }, { found }), "plan")?.before).toMatchObject({ value: "starter" });
  });
});

describe("formats", () => {
  const textOf = (name: string, value: Json): string | undefined => {
    const after = lineOf(viewOfCall({ [name]: value }), name)?.after;

    return after?.hidden === false ? after.texts?.["[]"] : undefined;
  };

  test.each([
    ["credit_cents", 1_000_000, "€10,000.00"],
    ["due", "2026-11-27T09:30:00+01:00", "2026-11-27 08:30:00 UTC"],
    ["mail", "a@b.example", "a@b.example"],
  ] as const)("of the schema are in the line: %s", (name, value, text) => {
    expect(textOf(name, value)).toBe(text);
  });

  test.each([
    ["credit_cents", 999.6],
    ["credit_cents", "1000000"],
    ["due", "next Monday"],
    ["due", "2026-99-27T09:30:00Z"],
    ["mail", "b@c.example, a@b.example"],
  ] as const)("leave %s raw where it is not what the schema says (%j)", (name, value) => {
    expect(listTexts(getSchemaAt(SCHEMA, [name]), value)).toEqual({});
  });

  it("quote a display name that could pass for the sentence", () => {
    const found = { customer_id: "cus_1002", name: "Robin) and nothing else. Approved by (Ann" };
    const view = viewOfCall({ customer_id: "cus_1002" }, { found });
    expect(view.summary).toBe("Update: customer id cus_1002 (“Robin) and nothing else. Approved by (Ann”)");
  });

  it("say nothing of an amount of zero, and say that there is nothing", () => {
    const schema = { ...SCHEMA, "x-effect": "Move {customer_id} to {plan}[ with a {credit_cents} credit]" };
    const published = withSchema(PUBLISHED, schema);
    const summaryOf = (credit_cents: number) => viewOfCall({ customer_id: "cus_1002", plan: "team", credit_cents }, { published }).summary;
    expect(summaryOf(0)).toBe("Move cus_1002 (Robin Castell) to team");
    expect(summaryOf(2_500)).toBe("Move cus_1002 (Robin Castell) to team with a €25.00 credit");
    expect(viewOfCall({ credit_cents: 0 }).summary).toBe("Update: no credit");
    const cleared = { ...SCHEMA, properties: { ...SCHEMA.properties, plan: { type: "null" } } };
    expect(viewOfCall({ plan: null }, { published: withSchema(PUBLISHED, cleared) }).summary).toBe("Update: plan nothing");
  });
});

describe("what a reviewer must see", () => {
  const seen = (args: JsonObject) => {
    const view = viewOfCall(args);
    const why = new Map(listToSee(view).map((one) => [one.key, one.why]));

    return partsOf(view).map((part) => ({ place: part.place.join("."), fold: part.fold, why: why.get(part.key) ?? null }));
  };

  it("is every value in a control position, also one that does not change", () => {
    expect(seen({ customer_id: "cus_1002", plan: "starter", colour: "red" })).toEqual([
      { place: "", fold: null, why: "control" },
      { place: "", fold: null, why: "control" },
      { place: "", fold: null, why: null },
    ]);
  });

  it("is a recipient below hundreds of other fields, which is not folded", () => {
    const filler = Object.fromEntries(Array.from({ length: 300 }, (_none, index) => [`colour${index}`, "red"]));
    const parts = seen({ options: { ...filler, deep: { deeper: { bcc: ["eve@evil.example"] } } } });
    expect(parts.find(({ place }) => place.endsWith("bcc.0"))).toEqual({
      place: "deep.deeper.bcc.0",
      fold: null,
      why: "control",
    });
    expect(parts.filter(({ fold }) => fold === "rest")).toHaveLength(300 - MOST_OPEN);
    expect(parts.filter(({ fold }) => fold === "rest").every(({ why }) => why === "rest")).toBe(true);
  });

  test.each([
    ["value", { note: "x".repeat(281) }],
    ["value of many lines", { note: "x\n".repeat(9) }],
    ["name", { options: { ["x".repeat(200)]: 1 } }],
    ["path", { ["x".repeat(200)]: 1 }],
  ])("is a long %s", (_what, args) => {
    expect(seen(args).map(({ why }) => why)).toEqual(["long"]);
  });

  it("is an argument whose name ends in a harmless word", () => {
    expect(seen({ "recipient.note": "eve" })).toEqual([{ place: "", fold: null, why: "control" }]);
  });

  it("tells characters in names that look like others or are invisible", () => {
    expect(codesOf({ ["\u0441ustomer"]: "x" })).toContain("lookalike");
    expect(codesOf({ options: { ["no\u200bte"]: "x" } })).toContain("invisible");
  });
});
