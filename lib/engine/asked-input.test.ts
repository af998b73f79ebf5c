/** A call that asks a person for something: it waits, is answered once, and goes on as the same effect. */
import { describe, expect, test } from "vitest";
import { approvalView } from "@/lib/engine/approval-view";
import { answeredInput } from "@/lib/engine/asked-input";
import { authorityFault } from "@/lib/engine/authority";
import { MOST_INPUT_ROUNDS } from "@/lib/engine/tool-input";
import { ifRejected } from "@/lib/engine/rejection";
import { plan } from "@/lib/engine/plan";
import { isJsonObject } from "@/lib/json";
import { asideAt } from "@/lib/engine/state";
import { nodesWith, publishedWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  AUTHOR,
  codeOf,
  decideAs,
  decision,
  engine,
  executor,
  intent,
  openGate,
  REVIEWER,
  SECOND,
  settle,
  started,
  STARTER,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { chainOf, keysOf, newKey } from "@/lib/engine/testing/ledger";
import { ANSWER, answerAs, answerBody, asks, atQuestion, COST_CENTRE, elicitation } from "@/lib/engine/testing/tool-input";
import { forkOf } from "@/lib/engine/testing/fork";
import { editAs, sendBackAs } from "@/lib/engine/testing/gates";

const reviewer = user(REVIEWER);
const effects = (run: TestRun) => Object.values(run.state().effects);
const effect = (run: TestRun) => {
  const [only] = effects(run);
  if (!only) throw new Error("there is no effect");

  return only;
};
const resultOf = (run: TestRun) => {
  const content = asideAt(run.state(), `$result.${effect(run).effect_id}`).at(-1)?.content;

  return content?.known ? content.value : null;
};
const work = (run: TestRun) => plan(run.published, run.state(), run.now(), 1);

describe("a tool that asks", () => {
  test("stops the run at a gate of its own, with our prompt and its words as untrusted data", () => {
    const run = atQuestion();
    const { gate } = openGate(run);
    expect(run.state().status).toBe("waiting");
    expect(gate).toMatchObject({ reason: "tool_input", node: "fetch", role: "reviewer", quorum: 1 });
    expect(gate.prompt).not.toContain("cost centre");
    const { lines } = approvalView(run.published, run.state(), openGate(run), "pii");
    expect(lines.map(({ op }) => op)).toEqual(["call", "ask"]);
    expect(lines[1]?.integrity).toBe("untrusted");
    expect(lines[1]?.provenance).toContain("mcp:docs/read");
    expect(JSON.stringify(lines[1]?.after)).toContain("Which cost centre?");
    expect(work(run)).toEqual({ type: "wait", until: gate.expires_at });
  });

  test("goes on with the answer as the same effect, which counts once", () => {
    const run = atQuestion();
    const before = effect(run);
    expect(codeOf(answerAs(run))).toBe("accepted");
    expect(run.state().status).toBe("running");
    expect(effects(run)).toHaveLength(1);
    expect(effect(run)).toMatchObject({ effect_id: before.effect_id, call_id: before.call_id, outcome: null });
    expect(answeredInput(run.state(), before.effect_id)).toEqual({
      state: "opaque-1",
      responses: { ask: { action: "accept", content: ANSWER[0] } },
    });
    expect(work(run)).toMatchObject({ type: "execute", node: "fetch" });
    settle(run, { text: "hello" });
    expect(effect(run).outcome).toBe("ok");
  });

  test("gives an answer that whoever said it and what was asked is in", () => {
    const run = atQuestion();
    answerAs(run);
    settle(run, { text: "hello" });
    const said = asideAt(run.state(), `$answer.${effect(run).approval_id}`).at(-1);
    expect(said?.label).toMatchObject({ integrity: "untrusted", confidentiality: "internal" });
    expect(said?.label.provenance).toEqual(expect.arrayContaining([`user:${REVIEWER}`, "mcp:docs/read"]));
    expect(asideAt(run.state(), `$result.${effect(run).effect_id}`).at(-1)?.label.provenance).toContain(`user:${REVIEWER}`);
  });

  test("is told no, and nothing else, when a person declines, whose reason stays here", () => {
    const run = atQuestion();
    const before = effect(run);
    decideAs(run, reviewer, "reject");
    expect(run.state().status).toBe("running");
    expect(effects(run)).toEqual([expect.objectContaining({ effect_id: before.effect_id, outcome: null, approval_id: null })]);
    expect(answeredInput(run.state(), before.effect_id)).toEqual({ state: "opaque-1", responses: { ask: { action: "decline" } } });
  });

  test("is given up, and not told no, when the yes that its call rests on is over by then", () => {
    const run = atGate();
    decideAs(run, reviewer);
    run.work(intent("crm", "update", { plan: "team" }));
    const call = () => effects(run).at(-1);
    const yes = run.state().gates[call()?.approval_id ?? ""]?.gate;
    // The question comes later than the yes, and so waits longer.
    run.pass(1_000);
    asks(run);
    expect(yes && openGate(run).gate.expires_at > yes.expires_at).toBe(true);
    run.pass((yes?.expires_at ?? 0) - run.now());
    decideAs(run, reviewer, "reject");
    expect(call()?.outcome).toBe("abandoned");
  });

  test("is given up when nobody answers in time, and its node fails", () => {
    const run = atQuestion();
    const { gate } = openGate(run);
    run.pass(gate.expires_at - run.now());
    expect(work(run)).toEqual({ type: "propose", body: { kind: "expire", approval_id: gate.id } });
    run.propose(engine, { kind: "expire", approval_id: gate.id });
    expect(effect(run).outcome).toBe("abandoned");
    expect(run.state().lastError?.code).toBe("approval_expired");
    expect(answeredInput(run.state(), effect(run).effect_id)).toBeNull();
  });

  test("may ask again, each time anew, and not for ever", () => {
    const run = atQuestion();
    const gates = [openGate(run).gate.id];
    for (let round = 1; round < MOST_INPUT_ROUNDS; round += 1) {
      answerAs(run);
      asks(run, COST_CENTRE, `opaque-${round + 1}`);
      gates.push(openGate(run).gate.id);
    }
    expect(new Set(gates).size).toBe(MOST_INPUT_ROUNDS);
    answerAs(run, reviewer, [{ centre: "last" }]);
    expect(answeredInput(run.state(), effect(run).effect_id)).toMatchObject({
      state: `opaque-${MOST_INPUT_ROUNDS}`,
      responses: { ask: { content: { centre: "last" } } },
    });
    asks(run);
    expect(effect(run).outcome).toBe("tool_error");
    expect(resultOf(run)).toMatchObject({ error: { code: "input_rounds" } });
  });

  test.each([
    ["a password", elicitation({ password: { type: "string" } }), "input_secret"],
    ["an address", { ask: { method: "elicitation/create", params: { mode: "url", message: "x", url: "https://a.example" } } }, "input_url"],
    ["what is no JSON", Object.create({ evil: true }) as never, "input_form"],
  ])("is an error of the tool, in our words, when it asks for %s", (_, request, code) => {
    const run = atQuestion(undefined, request);
    expect(run.state().status).toBe("running");
    expect(effect(run).outcome).toBe("tool_error");
    const error = resultOf(run);
    expect(error).toMatchObject({ error: { code } });
    expect(isJsonObject(error) && JSON.stringify(error)).not.toContain("a.example");
  });

  test("has nobody to ask where its call takes more than one person's yes", () => {
    const ask = { prompt: "Write it?", review_keys: ["request"], for_node: "write", rejection_node: "decline", quorum: 2 };
    const run = atGate(publishedWith({ nodes: nodesWith("ask", { config: ask }) }));
    decideAs(run, reviewer);
    decideAs(run, user(SECOND));
    run.work(intent("crm", "update", { plan: "team" }));
    asks(run);
    expect(run.state().status).toBe("running");
    expect(resultOf({ ...run, state: () => ({ ...run.state(), effects: { last: effects(run).at(-1) ?? effect(run) } }) })).toMatchObject({
      error: { code: "input_quorum" },
    });
  });

  test("has nobody to ask any more once its node has been left", () => {
    const run = started(publishedWith());
    run.work(intent("docs", "read", { topic: "plans" }));
    const late = effect(run);
    run.work({ kind: "node_failure", code: "node_timeout", retryable: false, detail: "", jitter: 0, retry_after_ms: null });
    run.propose(executor("fetch"), { kind: "effect_input", effect_id: late.effect_id, request: COST_CENTRE, state: null });
    expect(Object.values(run.state().gates)).toEqual([]);
    expect(run.state().effects[late.effect_id]?.outcome).toBe("tool_error");
  });

  test("asks one question at a time", () => {
    const run = atQuestion();
    expect(codeOf(asks(run))).toBe("version_conflict");
    expect(Object.values(run.state().gates)).toHaveLength(1);
  });
});

describe("an answer", () => {
  test.each([
    ["nothing", undefined, "input_invalid"],
    ["not all of it", [{}], "input_invalid"],
    ["more than was asked", [{ centre: "4711", to: "me" }], "input_invalid"],
    ["too much of it", [{ centre: "4711" }, { centre: "4711" }], "input_invalid"],
  ])("that says %s changes nothing", (_, answers, code) => {
    const run = atQuestion();
    const { answers: _given, ...body } = answerBody(run);
    expect(codeOf(run.propose(reviewer, { ...body, ...(answers ? { answers } : {}) }))).toBe(code);
    expect(openGate(run).decisions).toEqual([]);
    expect(codeOf(answerAs(run))).toBe("accepted");
  });

  test("counts once, however often it is sent", () => {
    const run = atQuestion();
    const body = answerBody(run);
    expect(codeOf(run.propose(reviewer, body))).toBe("accepted");
    expect(codeOf(run.propose(reviewer, body))).toBe("approval_closed");
    expect(codeOf(run.propose(user(SECOND), body))).toBe("approval_closed");
  });

  test("goes to no other gate, and comes with no rejection", () => {
    expect(codeOf(answerAs(atGate()))).toBe("malformed");
    const run = atQuestion();
    expect(codeOf(run.propose(reviewer, { ...decision(run, reviewer, "reject"), answers: ANSWER }))).toBe("malformed");
  });

  test.each([
    ["whoever started the run", user(STARTER), "own_run"],
    ["the author of the version", user(AUTHOR), "own_version"],
    ["an admin", user(REVIEWER, "admin"), "role_missing"],
    ["a builder", user(REVIEWER, "builder"), "role_missing"],
  ])("is not %s's to give", (_, by, code) => {
    expect(codeOf(answerAs(atQuestion(), by))).toBe(code);
  });

  test("is nobody's who is not shown the question", () => {
    const base = publishedWith();
    const secret = { ...base, tools: base.tools.map((tool) => (tool.tool === "read" ? { ...tool, output: "secret" as const } : tool)) };
    const run = atQuestion(secret);
    const { lines } = approvalView(secret, run.state(), openGate(run), "pii");
    expect(lines[1]).toMatchObject({ op: "ask", after: { hidden: true } });
    expect(JSON.stringify(lines)).not.toContain("cost centre");
    expect(codeOf(answerAs(run))).toBe("role_missing");
    expect(codeOf(answerAs(run, user(REVIEWER, "reviewer", true)))).toBe("accepted");
  });

  test("is about exactly what was shown", () => {
    const run = atQuestion();
    expect(codeOf(run.propose(reviewer, { ...answerBody(run), view_digest: "0".repeat(64) }))).toBe("view_mismatch");
  });

  test("is no proposal that could be edited or sent back", () => {
    const run = atQuestion();
    expect(codeOf(editAs(run, reviewer, { arguments: { topic: "other" } }))).toBe("edit_unsupported");
    expect(codeOf(sendBackAs(run, reviewer))).toBe("changes_unsupported");
  });

  test("is nothing that a fork could give in a person's place", () => {
    const run = atQuestion();
    const change = { type: "decision", approval_id: openGate(run).gate.id, decision: "approve" } as const;
    expect(codeOf(forkOf(run, run.state().version, change).verdict)).toBe("fork_change");
  });

  test("is what a rejection leads to: the node goes on", () => {
    const run = atQuestion();
    expect(ifRejected(run.published, run.state(), openGate(run), run.now())).toMatchObject({ next: { node: "fetch" }, ends: null });
  });
});

describe("an answered call", () => {
  const written = (): TestRun => {
    const run = atGate();
    decideAs(run, reviewer);
    run.work(intent("crm", "update", { plan: "team" }));
    asks(run);

    return run;
  };
  const last = (run: TestRun) => effects(run).at(-1) ?? effect(run);
  const faultOf = async (run: TestRun) => {
    const { effect_id: id, effect: named, approval_id: approval } = last(run);
    const key = await newKey("k1");
    const records = await chainOf(
      run.records().map(({ record }) => record),
      key,
    );
    const { workspace, run: runId, graphHash, policyHash, gates } = run.state();
    const receipt = approval === null ? null : (gates[approval]?.receipt ?? null);

    return authorityFault(
      { workspace, run: runId, graph_hash: graphHash, policy_hash: policyHash, records },
      { effect_id: id, ...named, arguments: { plan: "team" }, receipt },
      run.now(),
      keysOf(key),
    );
  };

  test("is allowed by the answer's own receipt, for exactly the arguments that were shown", async () => {
    const run = written();
    const asked = openGate(run).gate.id;
    answerAs(run);
    expect(last(run).approval_id).toBe(asked);
    expect(run.state().gates[asked]).toMatchObject({ status: "approved", usedBy: last(run).effect_id });
    expect(run.state().gates[asked]?.receipt?.payload.effect).toEqual(last(run).effect);
    // The receipts of this test are signed with nothing; everything before that holds.
    expect(await faultOf(run)).toBe("receipt_forged");
  });

  test("is not allowed anything by a refusal: it is told no by what allowed it before", () => {
    const run = written();
    const before = last(run).approval_id;
    decideAs(run, reviewer, "reject");
    expect(before).not.toBeNull();
    expect(last(run)).toMatchObject({ approval_id: before, outcome: null });
  });

  test("that a crash left without an outcome is asked about as any other write, and the answer is not lost", () => {
    const run = written();
    answerAs(run);
    const before = last(run);
    expect(codeOf(run.propose({ type: "engine", epoch: 2 }, { kind: "recover", effect_id: before.effect_id }, { epoch: 2 }))).toBe(
      "accepted",
    );
    expect(openGate(run).gate.reason).toBe("unclear_effect");
    run.propose(reviewer, decision(run, reviewer), { epoch: 2 });
    expect(last(run)).toMatchObject({ effect_id: before.effect_id, outcome: null, epoch: 2 });
    expect(answeredInput(run.state(), before.effect_id)?.responses).toMatchObject({ ask: { action: "accept" } });
  });

  test("that only reads is made again after a crash, with the answer", () => {
    const run = atQuestion();
    answerAs(run);
    run.propose({ type: "engine", epoch: 2 }, { kind: "recover", effect_id: effect(run).effect_id }, { epoch: 2 });
    expect(run.state().status).toBe("running");
    expect(effect(run)).toMatchObject({ epoch: 2, outcome: null });
    expect(answeredInput(run.state(), effect(run).effect_id)?.responses).toMatchObject({ ask: { content: ANSWER[0] } });
  });
});
