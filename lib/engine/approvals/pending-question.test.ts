import { describe, expect, test } from "vitest";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { findAnsweredInput } from "@/lib/engine/approvals/pending-question";
import { MOST_INPUT_ROUNDS } from "@/lib/engine/approvals/tool-input";
import { plan } from "@/lib/engine/plan";
import { isJsonObject } from "@/lib/json";
import { findAside } from "@/lib/engine/state";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  getCode,
  decideAs,
  engine,
  executor,
  intent,
  openGate,
  REVIEWER,
  SECOND,
  settle,
  started,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { ANSWER, answerAs, asks, atQuestion, COST_CENTRE, elicitation, newestEffect } from "@/lib/engine/testing/tool-input";

const reviewer = user(REVIEWER);
const effects = (run: TestRun) => Object.values(run.state().effects);
const resultOf = (run: TestRun) => {
  const content = findAside(run.state(), `$result.${newestEffect(run).effect_id}`).at(-1)?.content;

  return content?.known ? content.value : null;
};
const work = (run: TestRun) => plan(run.published, run.state(), run.now(), 1);

describe("a tool question", () => {
  test("holds the run at a gate with our prompt and the tool's text as untrusted data", () => {
    const run = atQuestion();
    const { gate } = openGate(run);
    expect(run.state().status).toBe("waiting");
    expect(gate).toMatchObject({ reason: "tool_input", node: "fetch", role: "reviewer", quorum: 1 });
    expect(gate.prompt).not.toContain("cost centre");
    const { lines } = buildApprovalView(run.published, run.state(), openGate(run), "pii");
    expect(lines.map(({ op }) => op)).toEqual(["call", "ask"]);
    expect(lines[1]?.integrity).toBe("untrusted");
    expect(lines[1]?.provenance).toContain("mcp:docs/read");
    expect(JSON.stringify(lines[1]?.after)).toContain("Which cost centre?");
    expect(work(run)).toEqual({ type: "wait", until: gate.expires_at });
  });

  test("continues with the answer as the same effect, counted once", () => {
    const run = atQuestion();
    const before = newestEffect(run);
    expect(getCode(answerAs(run))).toBe("accepted");
    expect(run.state().status).toBe("running");
    expect(effects(run)).toHaveLength(1);
    expect(newestEffect(run)).toMatchObject({ effect_id: before.effect_id, call_id: before.call_id, outcome: null });
    expect(findAnsweredInput(run.state(), before.effect_id)).toEqual({
      state: "opaque-1",
      responses: { ask: { action: "accept", content: ANSWER[0] } },
    });
    expect(work(run)).toMatchObject({ type: "execute", node: "fetch" });
    settle(run, { text: "hello" });
    expect(newestEffect(run).outcome).toBe("ok");
  });

  test("gives an answer with its author and the question in its label", () => {
    const run = atQuestion();
    answerAs(run);
    settle(run, { text: "hello" });
    const said = findAside(run.state(), `$answer.${newestEffect(run).approval_id}`).at(-1);
    expect(said?.label).toMatchObject({ integrity: "untrusted", confidentiality: "internal" });
    expect(said?.label.provenance).toEqual(expect.arrayContaining([`user:${REVIEWER}`, "mcp:docs/read"]));
    expect(findAside(run.state(), `$result.${newestEffect(run).effect_id}`).at(-1)?.label.provenance).toContain(`user:${REVIEWER}`);
  });

  test("is declined without the person's reason", () => {
    const run = atQuestion();
    const before = newestEffect(run);
    decideAs(run, reviewer, "reject");
    expect(run.state().status).toBe("running");
    expect(effects(run)).toEqual([expect.objectContaining({ effect_id: before.effect_id, outcome: null, approval_id: null })]);
    expect(findAnsweredInput(run.state(), before.effect_id)).toEqual({ state: "opaque-1", responses: { ask: { action: "decline" } } });
  });

  test("abandons the call instead when its approval has expired", () => {
    const run = atGate();
    decideAs(run, reviewer);
    run.work(intent("crm", "update", { plan: "team" }));
    const yes = run.state().gates[newestEffect(run).approval_id ?? ""]?.gate;
    // The question opens after the approval, so it expires later.
    run.pass(1_000);
    asks(run);
    expect(yes && openGate(run).gate.expires_at > yes.expires_at).toBe(true);
    run.pass((yes?.expires_at ?? 0) - run.now());
    decideAs(run, reviewer, "reject");
    expect(newestEffect(run).outcome).toBe("abandoned");
  });

  test("abandons the call and fails the node without an answer in time", () => {
    const run = atQuestion();
    const { gate } = openGate(run);
    run.pass(gate.expires_at - run.now());
    expect(work(run)).toEqual({ type: "propose", body: { kind: "expire", approval_id: gate.id } });
    run.propose(engine, { kind: "expire", approval_id: gate.id });
    expect(newestEffect(run).outcome).toBe("abandoned");
    expect(run.state().lastError?.code).toBe("approval_expired");
    expect(findAnsweredInput(run.state(), newestEffect(run).effect_id)).toBeNull();
  });

  test("can be followed by further questions, up to a limit", () => {
    const run = atQuestion();
    const gates = [openGate(run).gate.id];
    for (let round = 1; round < MOST_INPUT_ROUNDS; round += 1) {
      answerAs(run);
      asks(run, COST_CENTRE, `opaque-${round + 1}`);
      gates.push(openGate(run).gate.id);
    }
    expect(new Set(gates).size).toBe(MOST_INPUT_ROUNDS);
    answerAs(run, reviewer, [{ centre: "last" }]);
    expect(findAnsweredInput(run.state(), newestEffect(run).effect_id)).toMatchObject({
      state: `opaque-${MOST_INPUT_ROUNDS}`,
      responses: { ask: { content: { centre: "last" } } },
    });
    asks(run);
    expect(newestEffect(run).outcome).toBe("tool_error");
    expect(resultOf(run)).toMatchObject({ error: { code: "input_rounds" } });
  });

  test.each([
    ["a password", elicitation({ password: { type: "string" } }), "input_secret"],
    ["an address", { ask: { method: "elicitation/create", params: { mode: "url", message: "x", url: "https://a.example" } } }, "input_url"],
    ["a value that is not JSON", Object.create({ evil: true }) as never, "input_form"],
  ])("becomes a tool error in our words for %s", (_, request, code) => {
    const run = atQuestion(undefined, request);
    expect(run.state().status).toBe("running");
    expect(newestEffect(run).outcome).toBe("tool_error");
    const error = resultOf(run);
    expect(error).toMatchObject({ error: { code } });
    expect(isJsonObject(error) && JSON.stringify(error)).not.toContain("a.example");
  });

  test("cannot be asked when its call needs several approvers", () => {
    const ask = { prompt: "Write it?", review_keys: ["request"], for_node: "write", rejection_node: "decline", quorum: 2 };
    const run = atGate(publishWith({ nodes: nodesWith("ask", { config: ask }) }));
    decideAs(run, reviewer);
    decideAs(run, user(SECOND));
    run.work(intent("crm", "update", { plan: "team" }));
    asks(run);
    expect(run.state().status).toBe("running");
    expect(resultOf(run)).toMatchObject({ error: { code: "input_quorum" } });
  });

  test("cannot be asked after its node was left", () => {
    const run = started(publishWith());
    run.work(intent("docs", "read", { topic: "plans" }));
    const late = newestEffect(run);
    run.work({ kind: "node_failure", code: "node_timeout", retryable: false, detail: "", jitter: 0, retry_after_ms: null });
    run.propose(executor("fetch"), { kind: "effect_input", effect_id: late.effect_id, request: COST_CENTRE, state: null });
    expect(Object.values(run.state().gates)).toEqual([]);
    expect(run.state().effects[late.effect_id]?.outcome).toBe("tool_error");
  });

  test("is asked one at a time", () => {
    const run = atQuestion();
    expect(getCode(asks(run))).toBe("version_conflict");
    expect(Object.values(run.state().gates)).toHaveLength(1);
  });
});
