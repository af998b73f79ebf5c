import { describe, expect, test } from "vitest";
import { getCode, decideAs, openGate, result, REVIEWER, update, user, type TestRun } from "@/lib/engine/testing/run";
import { forkOf } from "@/lib/engine/testing/fork";
import { getControlLabel } from "@/lib/engine/state";
import { drive } from "@/lib/engine/testing/work";
import { atReview, FORM, judge, judgeNow, review, RULES, says, speak, zone, ZONE_MEMORY } from "@/lib/engine/testing/zones";
import type { RunEvent } from "@/lib/engine/event";
import { nodeSchema } from "@/lib/graph/document";

const events = (run: TestRun): RunEvent[] => run.records().flatMap(({ record }) => record.control);
const judged = (run: TestRun) => events(run).findLast((event) => event.type === "judged");
const raised = (run: TestRun) =>
  run
    .state()
    .cells.filter(({ label }) => label.integrity === "reviewed")
    .map(({ path }) => path);

const judgedWith = (nodes: Parameters<typeof zone>[0], form: unknown = FORM, verdict = "approve", graph = {}): TestRun => {
  const run = atReview(zone(nodes, graph), form);
  if (run.state().currentNode === "review") speak(run, says(verdict));
  judgeNow(run);

  return run;
};

describe("a judge approves", () => {
  test("with a new cell and the case in its record, and raises nothing else", () => {
    const run = judgedWith({});
    expect(judged(run)).toMatchObject({
      outcome: "approved",
      reason: "passed",
      rules: RULES.map(({ field }) => ({ field, passed: true })),
    });
    const [case_id] = Object.keys(run.state().cases);
    expect(events(run)).toContainEqual({ type: "promoted", approval_id: null, case_id, from: "form", to: "good" });
    const good = run.state().cells.find(({ path }) => path === "good");
    expect(good?.content).toEqual({ known: true, value: FORM });
    expect(good?.label).toMatchObject({ integrity: "reviewed", confidentiality: "internal" });
    expect(good?.label.provenance).toEqual(expect.arrayContaining(["agent:clerk", "mcp:docs/read", "judge:judge", "approver:agent:first"]));
    expect(raised(run)).toEqual(["good"]);
    expect(
      run
        .state()
        .cells.filter(({ path }) => path === "form" || path === "mail")
        .map(({ label }) => label.integrity),
    ).toEqual(["untrusted", "untrusted"]);
  });

  test("without a model, tools or an executor's result", () => {
    const run = atReview();
    speak(run, says("approve"));
    expect(run.state().currentNode).toBe("judge");
    expect(getCode(run.work({ kind: "model_intent", tokens: 1, cost_micro_usd: 0 }))).toBe("task_unknown");
    expect(
      getCode(run.work({ kind: "effect_intent", call_id: "x", server: "docs", tool: "read", arguments: {}, availability: "ok" })),
    ).toBe("tool_not_granted");
    expect(getCode(run.work(result(update("good", FORM))))).toBe("action_not_granted");
    expect(raised(run)).toEqual([]);
  });

  test("without a value for omitted optional fields, given their rule", () => {
    expect(judged(judgedWith({}, { ...FORM, note: "short" }))).toMatchObject({ outcome: "approved" });
    expect(judged(judgedWith({}, { ...FORM, note: "longer than ten" }))).toMatchObject({ outcome: "rejected", reason: "rule_failed" });
  });

  test("a protected key only after a person's approval", () => {
    const memory = ZONE_MEMORY?.map((key) => (key.key === "good" ? { ...key, protected: true } : key));
    const run = judgedWith({}, FORM, "approve", { memory });
    expect(openGate(run).gate.reason).toBe("protected_key");
    expect(raised(run)).toEqual([]);
    expect(events(run).some(({ type }) => type === "promoted")).toBe(false);
    expect(getCode(decideAs(run, user(REVIEWER)))).toBe("accepted");
    expect(raised(run)).toEqual(["good"]);
    expect(events(run)).toContainEqual(
      expect.objectContaining({ type: "promoted", approval_id: expect.any(String) as unknown, case_id: Object.keys(run.state().cases)[0] }),
    );
  });

  test("never in a fork with a made-up approval: there is no case", () => {
    const memory = ZONE_MEMORY?.map((key) => (key.key === "good" ? { ...key, protected: true } : key));
    const parent = judgedWith({}, FORM, "approve", { memory });
    const change = { type: "decision", approval_id: openGate(parent).gate.id, decision: "approve" } as const;
    const fork = forkOf(parent, parent.records().length, change);
    expect(fork.verdict.ok).toBe(true);
    expect(raised(fork)).toEqual([]);
    expect(fork.state().currentNode).toBe("judge");
    judgeNow(fork);
    expect(judged(fork)).toMatchObject({ outcome: "rejected", reason: "no_case" });
  });
});

describe("a judge rejects", () => {
  const without = RULES.slice(0, 2);
  test.each([
    ["a field without a rule", { judge: judge({ rules: without }) }, FORM, "rule_missing"],
    ["a field with two rules", { judge: judge({ rules: [...RULES, ...RULES.slice(0, 1)] }) }, FORM, "rule_doubled"],
    [
      "a rule for an undeclared field",
      { judge: judge({ rules: [...RULES, { field: "other", rule: { type: "boolean" as const, value: true } }] }) },
      FORM,
      "malformed",
    ],
    ["no rules at all", { judge: judge({ rules: [] }) }, FORM, "rule_missing"],
    ["one field that fails", {}, { ...FORM, seats: 11 }, "rule_failed"],
    ["a case of another node", { judge: judge({ review: "elsewhere" }) }, FORM, "no_case"],
    ["a case about another value", { review: review({ target: "mail", source: undefined }) }, FORM, "no_case"],
  ])("%s", (_name, nodes, form, reason) => {
    const run = judgedWith(nodes, form);
    expect(judged(run)).toMatchObject({ outcome: "rejected", reason });
    expect(raised(run)).toEqual([]);
    expect(run.state().status).toBe("failed");
    expect(run.state().lastError?.code).toBe("judge_rejected");
  });

  test("a failed case, whatever its rules say", () => {
    expect(judged(judgedWith({}, FORM, "reject"))).toMatchObject({ outcome: "rejected", reason: "quorum" });
    expect(judged(judgedWith({}, FORM, "abstain"))).toMatchObject({ outcome: "rejected", reason: "quorum" });
    const split = atReview(
      zone({
        review: review({
          reviewers: [
            { type: "agent", agent_id: "first" },
            { type: "agent", agent_id: "second" },
          ],
        }),
      }),
    );
    speak(split, says("approve"));
    speak(split, says("reject"), 1);
    judgeNow(split);
    expect(judged(split)).toMatchObject({ outcome: "rejected", reason: "not_passed" });
    const silent = atReview();
    silent.work({ kind: "task_failure", task: "reviewer.0", code: "model_failed", detail: "" });
    judgeNow(silent);
    expect(judged(silent)).toMatchObject({ outcome: "rejected", reason: "verdict_missing" });
  });

  test("a case about the previous value", () => {
    const again = {
      id: "again",
      kind: "transform" as const,
      write_keys: ["form"],
      config: { set: [{ path: "form", value: '{"plan": "team", "seats": 3}' }] },
    };
    const published = zone({}, {});
    const nodes = published.graph.nodes.flatMap((node) => (node.id === "judge" ? [zoneNode(again), node] : [node]));
    const edges = published.graph.edges.flatMap((edge) =>
      edge.target === "judge"
        ? [
            { ...edge, target: "again" },
            { ...edge, id: "more", source: "again" },
          ]
        : [edge],
    );
    const run = atReview({ ...published, graph: { ...published.graph, nodes, edges } });
    speak(run, says("approve"));
    expect(run.state().currentNode).toBe("again");
    run.work(result(update("form", FORM)));
    judgeNow(run);
    expect(judged(run)).toMatchObject({ outcome: "rejected", reason: "no_case" });
    expect(raised(run)).toEqual([]);
  });

  test("along its rejection node, if any", () => {
    const run = judgedWith({ judge: judge({ rejection_node: "extract" }) }, { ...FORM, seats: 99 });
    expect(judged(run)).toMatchObject({ outcome: "rejected" });
    expect(run.state().currentNode).toBe("extract");
    drive(run);
    expect(run.state().status).toBe("running");
    // The form's author chose this route, so its taint stays.
    expect(getControlLabel(run.state()).integrity).toBe("untrusted");
  });
});

const zoneNode = (node: object) => nodeSchema.parse(node);
