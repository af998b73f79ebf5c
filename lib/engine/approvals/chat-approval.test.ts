import { describe, expect, it, test } from "vitest";
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { atGate, decision, getCode, openGate, REVIEWER, result, started, user, type TestRun } from "@/lib/engine/testing/run";
import type { Gate } from "@/lib/engine/event";
import { findChatObjection, listChatLines } from "./chat-approval";

const reviewer = user(REVIEWER);
const asking = (change: Record<string, unknown> = {}) =>
  publishWith({
    nodes: nodesWith("ask", {
      config: { prompt: "Write it?", review_keys: ["request"], for_node: "write", rejection_node: "decline", ...change },
    }),
  });
const published = asking();
const { gate } = openGate(atGate(published));
/** Nothing untrusted is in it. */
const plain = publishWith({
  nodes: [{ id: "ask", kind: "approval", read_keys: ["topic"], config: { prompt: "Go on?", review_keys: ["topic"] } }],
  edges: [],
  start_node: "ask",
  end_nodes: ["ask"],
});

const atPlain = (): TestRun => {
  const run = started(plain);
  run.work(result({ type: "request_human_input", prompt: "" }));

  return run;
};

const line = (change: Partial<ViewLine> = {}): ViewLine => ({
  path: "crm.update.plan",
  op: "call",
  before: { hidden: false, value: "starter" },
  after: { hidden: false, value: "team" },
  changed: true,
  integrity: "trusted",
  confidentiality: "internal",
  provenance: [],
  ...change,
});

const judge = (change: Partial<Gate> = {}, shown: Partial<Pick<ApprovalView, "lines" | "signals">> = {}) =>
  findChatObjection(published, { ...gate, ...change }, { lines: [line()], signals: [], ...shown });

const value = (text: string) => ({ hidden: false as const, value: text });

describe("an approval in a chat", () => {
  it("is possible for one write, of one approver, whose values are all in the message", () => {
    expect(judge()).toBeNull();
    expect(judge({ demands: [{ groups: ["Finance"], people: [], count: 1 }] })).toBeNull();
    expect(judge({}, { signals: [{ code: "first_tool", risk: "low", text: "First use." }] })).toBeNull();
  });

  test.each<readonly [string, Partial<Gate>, Partial<Pick<ApprovalView, "lines" | "signals">>, string]>([
    ["of a case", { reason: "review" }, {}, "question"],
    ["of a tool's question", {}, { lines: [line({ op: "ask" })] }, "question"],
    ["by two people", { quorum: 2 }, {}, "approvers"],
    ["by two of a group", { demands: [{ groups: ["Finance"], people: [], count: 2 }] }, {}, "approvers"],
    ["by two groups", { demands: ["Finance", "Legal"].map((group) => ({ groups: [group], people: [], count: 1 })) }, {}, "approvers"],
    ["with a passkey", { signature: "passkey" }, {}, "passkey"],
    ["with a signal of medium risk", {}, { signals: [{ code: "steered", risk: "medium", text: "Untrusted." }] }, "signals"],
    ["with a signal of high risk", {}, { signals: [{ code: "different_record", risk: "high", text: "Different." }] }, "signals"],
    ["with a hidden value", {}, { lines: [line({ after: { hidden: true } })] }, "unseen"],
    ["with a hidden value before", {}, { lines: [line({ before: { hidden: true } })] }, "unseen"],
    ["with a long value", {}, { lines: [line({ after: value("x".repeat(281)) })] }, "unseen"],
    ["with many values", {}, { lines: Array.from({ length: 11 }, (_, at) => line({ path: `crm.update.p${at}` })) }, "unseen"],
    [
      "with values beyond a section",
      {},
      { lines: Array.from({ length: 10 }, (_, at) => line({ path: `crm.update.p${at}`, after: value("x".repeat(270)) })) },
      "unseen",
    ],
    ["with an invisible character", {}, { lines: [line({ after: value("te\u200bam") })] }, "unseen"],
    ["with an address that a message would not show as it is", {}, { lines: [line({ after: value("https://evil.example") })] }, "unseen"],
    [
      "with a name that a message would cut",
      {},
      { lines: [line({ path: `crm.update.${"x".repeat(150)}`, before: value("y".repeat(200)), after: value("z".repeat(200)) })] },
      "unseen",
    ],
  ])("is not possible %s", (_, change, shown, objection) => {
    expect(judge(change, shown)).toBe(objection);
  });

  it("is not possible for a call that can't be undone, whatever else holds", () => {
    const tools = published.tools.map((tool) => ({ ...tool, effect: "irreversible" as const }));
    const nodes = published.graph.nodes.map((node) => (node.kind === "tool" ? { ...node, effect: "irreversible" as const } : node));
    const strict = { ...published, tools, graph: { ...published.graph, nodes } };
    expect(findChatObjection(strict as typeof published, gate, { lines: [line()], signals: [] })).toBe("class");
  });

  it("lists every value as it is, with the one before", () => {
    expect(listChatLines({ lines: [line(), line({ path: "crm.update.note", before: null, after: value("two\nlines") })] })).toEqual([
      'plan: "starter" → "team"',
      'note: "two\\nlines"',
    ]);
    const texts = { hidden: false as const, value: 2_500, texts: { "[]": "$25.00" } };
    expect(listChatLines({ lines: [line({ path: "crm.update.credit", before: null, after: texts })] })).toEqual(["credit: $25.00"]);
  });
});

describe("the control plane", () => {
  const approve = (run: TestRun, via?: "slack" | "mail" | "push") =>
    run.propose(reviewer, { ...decision(run, reviewer), ...(via ? { via } : {}) });

  it("takes an approval from Slack under the same rule, and records where it came from", () => {
    const run = atPlain();
    expect(getCode(approve(run, "slack"))).toBe("accepted");
    expect(Object.values(run.state().gates)).toMatchObject([{ status: "approved", decisions: [{ user: REVIEWER, via: "slack" }] }]);
  });

  it("takes none by e-mail or web push, whatever the link says", () => {
    for (const via of ["mail", "push"] as const) expect(getCode(approve(atPlain(), via))).toBe("link_invalid");
  });

  it("refuses one that needs the page, which the page then takes", () => {
    const steered = atGate(asking());
    expect(getCode(approve(steered, "slack"))).toBe("link_invalid");
    expect(getCode(approve(steered))).toBe("accepted");
    const signed = atGate(asking({ passkey: true }));
    expect(getCode(approve(signed, "slack"))).toBe("link_invalid");
    expect(openGate(signed).decisions).toEqual([]);
    const two = atGate(asking({ quorum: 2 }));
    expect(getCode(approve(two, "slack"))).toBe("link_invalid");
    expect(getCode(approve(two))).toBe("accepted");
  });
});
