import { describe, expect, it } from "vitest";
import type { Rule } from "@/lib/approval-rules/rule";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { listTurn } from "@/lib/engine/decide/turn";
import { publishWith } from "@/lib/engine/testing/graph";
import { atAgent, rule } from "@/lib/engine/testing/rules";
import { getCode, intent, type TestRun } from "@/lib/engine/testing/run";
import { decideAbout, gates, reviewer, sent, settle, speaking, statuses } from "@/lib/engine/testing/turn";
import { pinnedToolSchema } from "@/lib/graph/document";

const CRM = pinnedToolSchema.parse({
  server: "crm",
  tool: "update",
  definition_digest: "d".repeat(64),
  description: "",
  input_schema: { type: "object" },
  effect: "write",
  idempotent: false,
});
const TOOLS = [
  { server: "crm", tool: "update" },
  { server: "shop", tool: "refund" },
  { server: "crm", tool: "store", outward: false },
  { server: "crm", tool: "erase", effect: "irreversible" },
] as const;

const speakingOf = (names: readonly string[], rules: readonly Rule[] = [], granted: readonly string[] = names): TestRun => {
  const agentTools = TOOLS.filter(({ server, tool }) => granted.includes(`${server}__${tool}`)).map(({ server, tool }) => ({
    server,
    tool,
  }));
  const published = publishWith({ agentTools });
  const others = TOOLS.slice(1).map((tool) => ({ ...CRM, ...tool }));
  const tools = [...published.tools.filter(({ tool }) => tool !== "erase"), ...others];

  return speaking(
    names.map((name, index) => ({ id: String(index + 1), name, input: { plan: "team" } })),
    atAgent(rules, { ...published, tools }),
  );
};
const proposeOf = (run: TestRun, name: string, index: number) => {
  const [server = "", tool = ""] = name.split("__");

  return run.work(intent(server, tool, { plan: "team" }, `0//${index + 1}`));
};

describe("calls of one turn to different tools", () => {
  const pair = ["crm__update", "shop__refund"] as const;
  const waitingPair = (...rules: readonly Rule[]): TestRun => {
    const run = speakingOf(pair, rules);
    for (const [index, name] of pair.entries()) expect(getCode(proposeOf(run, name, index))).toBe("accepted");

    return run;
  };

  it("wait side by side if they have one destination class, and are one item to review", () => {
    const run = waitingPair();
    expect(gates(run).map(({ status, gate }) => `${status} ${gate.transition.effect?.tool}`)).toEqual(["open update", "open refund"]);
    for (const each of gates(run)) expect(listTurn(run.state(), each)).toEqual(gates(run));
  });

  it.each([
    ["another effect class", "crm__erase"],
    ["another side: one sends data outside", "crm__store"],
  ])("wait one after the other if they have %s", (_what, name) => {
    const run = speakingOf(["crm__update", name]);
    proposeOf(run, "crm__update", 0);
    expect(getCode(proposeOf(run, name, 1))).toBe("node_not_active");
    expect(statuses(run)).toEqual(["open"]);
  });

  it("are refused beside a waiting one if the agent was not granted the tool", () => {
    const run = speakingOf(["crm__update", "shop__refund"], [], ["crm__update"]);
    proposeOf(run, "crm__update", 0);
    expect(getCode(proposeOf(run, "shop__refund", 1))).toBe("tool_not_granted");
    expect(statuses(run)).toEqual(["open"]);
  });

  it("are each decided by their own decision: a rejected one decides no other, and each call is made once", () => {
    const run = waitingPair();
    expect(getCode(decideAbout(run, 1, "reject"))).toBe("accepted");
    expect(statuses(run)).toEqual(["open", "rejected"]);
    expect(getCode(decideAbout(run, 0))).toBe("accepted");
    expect(getCode(proposeOf(run, pair[0], 0))).toBe("accepted");
    settle(run);
    expect(getCode(proposeOf(run, pair[1], 1))).toBe("call_rejected");
    expect(sent(run)).toEqual([{ plan: "team" }]);
  });

  it("do not share a decision: one about the first does not fit the second", () => {
    const run = waitingPair();
    const [first, second] = gates(run);
    if (!first || !second) throw new Error("two gates are open");
    const view = computeViewDigest(buildApprovalView(run.published, run.state(), first, "internal"));
    const decide = (transition: string, nonce: string) =>
      run.propose(reviewer, {
        kind: "decision",
        approval_id: second.gate.id,
        transition_digest: transition,
        view_digest: view,
        decision: "approve",
        nonce,
      });
    expect(getCode(decide(first.gate.transition_digest, first.gate.nonce))).not.toBe("accepted");
    expect(getCode(decide(second.gate.transition_digest, second.gate.nonce))).toBe("view_mismatch");
    expect(statuses(run)).toEqual(["open", "open"]);
  });

  it("keep their own rules: a rule about one tool asks for its quorum alone", () => {
    const run = waitingPair(rule({ count: 2 }, { server: "shop", tool: "refund" }));
    expect(gates(run).map(({ gate }) => gate.quorum)).toEqual([1, 2]);
    decideAbout(run, 1);
    decideAbout(run, 0);
    expect(statuses(run)).toEqual(["approved", "open"]);
  });
});
