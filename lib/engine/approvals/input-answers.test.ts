import { describe, expect, test } from "vitest";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { findAnsweredInput } from "@/lib/engine/approvals/pending-question";
import { findAuthorityFault } from "@/lib/engine/authority";
import { describeRejection } from "@/lib/engine/approvals/rejection";
import { publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  AUTHOR,
  getCode,
  decideAs,
  decision,
  intent,
  openGate,
  REVIEWER,
  SECOND,
  STARTER,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { chainOf, getKeys, newKey } from "@/lib/engine/testing/ledger";
import { ANSWER, answerAs, answerBody, asks, atQuestion, newestEffect } from "@/lib/engine/testing/tool-input";
import { forkOf } from "@/lib/engine/testing/fork";
import { editAs, sendBackAs } from "@/lib/engine/testing/gates";

const reviewer = user(REVIEWER);

describe("an answer to a tool question", () => {
  test.each([
    ["nothing", undefined, "input_invalid"],
    ["not all of it", [{}], "input_invalid"],
    ["more than was asked", [{ centre: "4711", to: "me" }], "input_invalid"],
    ["too much of it", [{ centre: "4711" }, { centre: "4711" }], "input_invalid"],
  ])("with %s changes nothing", (_, answers, code) => {
    const run = atQuestion();
    const { answers: _given, ...body } = answerBody(run);
    expect(getCode(run.propose(reviewer, { ...body, ...(answers ? { answers } : {}) }))).toBe(code);
    expect(openGate(run).decisions).toEqual([]);
    expect(getCode(answerAs(run))).toBe("accepted");
  });

  test("counts once, however often it is sent", () => {
    const run = atQuestion();
    const body = answerBody(run);
    expect(getCode(run.propose(reviewer, body))).toBe("accepted");
    expect(getCode(run.propose(reviewer, body))).toBe("approval_closed");
    expect(getCode(run.propose(user(SECOND), body))).toBe("approval_closed");
  });

  test("is accepted at its own gate only, and never with a rejection", () => {
    expect(getCode(answerAs(atGate()))).toBe("malformed");
    const run = atQuestion();
    expect(getCode(run.propose(reviewer, { ...decision(run, reviewer, "reject"), answers: ANSWER }))).toBe("malformed");
  });

  test.each([
    ["the run's starter", user(STARTER), "own_run"],
    ["the author of the version", user(AUTHOR), "own_version"],
    ["an admin", user(REVIEWER, "admin"), "role_missing"],
    ["a builder", user(REVIEWER, "builder"), "role_missing"],
  ])("is refused from %s", (_, by, code) => {
    expect(getCode(answerAs(atQuestion(), by))).toBe(code);
  });

  test("is refused from people who cannot see the question", () => {
    const base = publishWith();
    const secret = { ...base, tools: base.tools.map((tool) => (tool.tool === "read" ? { ...tool, output: "secret" as const } : tool)) };
    const run = atQuestion(secret);
    const { lines } = buildApprovalView(secret, run.state(), openGate(run), "pii");
    expect(lines[1]).toMatchObject({ op: "ask", after: { hidden: true } });
    expect(JSON.stringify(lines)).not.toContain("cost centre");
    expect(getCode(answerAs(run))).toBe("role_missing");
    expect(getCode(answerAs(run, user(REVIEWER, "reviewer", true)))).toBe("accepted");
  });

  test("is bound to exactly the view shown", () => {
    const run = atQuestion();
    expect(getCode(run.propose(reviewer, { ...answerBody(run), view_digest: "0".repeat(64) }))).toBe("view_mismatch");
  });

  test("cannot be edited or sent back", () => {
    const run = atQuestion();
    expect(getCode(editAs(run, reviewer, { arguments: { topic: "other" } }))).toBe("edit_unsupported");
    expect(getCode(sendBackAs(run, reviewer))).toBe("changes_unsupported");
  });

  test("cannot be given by a fork", () => {
    const run = atQuestion();
    const change = { type: "decision", approval_id: openGate(run).gate.id, decision: "approve" } as const;
    expect(getCode(forkOf(run, run.state().version, change).verdict)).toBe("fork_change");
  });

  test("may be declined, and then the node continues", () => {
    const run = atQuestion();
    expect(describeRejection(run.published, run.state(), openGate(run), run.now())).toMatchObject({ next: { node: "fetch" }, ends: null });
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
  const faultOf = async (run: TestRun) => {
    const { effect_id: id, effect: named, approval_id: approval } = newestEffect(run);
    const key = await newKey("k1");
    const records = await chainOf(
      run.records().map(({ record }) => record),
      key,
    );
    const { workspace, run: runId, graphHash, policyHash, gates } = run.state();
    const receipt = approval === null ? null : (gates[approval]?.receipt ?? null);

    return findAuthorityFault(
      { workspace, run: runId, graph_hash: graphHash, policy_hash: policyHash, records },
      { effect_id: id, ...named, arguments: { plan: "team" }, idempotency_key: newestEffect(run).idempotency_key ?? "", receipt },
      run.now(),
      getKeys(key),
    );
  };

  test("is allowed by the answer's own receipt, for exactly the arguments shown", async () => {
    const run = written();
    const asked = openGate(run).gate.id;
    answerAs(run);
    expect(newestEffect(run).approval_id).toBe(asked);
    expect(run.state().gates[asked]).toMatchObject({ status: "approved", usedBy: newestEffect(run).effect_id });
    expect(run.state().gates[asked]?.receipt?.payload.effect).toEqual(newestEffect(run).effect);
    expect(await faultOf(run)).toBe("receipt_forged");
  });

  test("is not authorized by declining: the original approval covers it", () => {
    const run = written();
    const before = newestEffect(run).approval_id;
    decideAs(run, reviewer, "reject");
    expect(before).not.toBeNull();
    expect(newestEffect(run)).toMatchObject({ approval_id: before, outcome: null });
  });

  test("without outcome after a crash is asked about like any write, and keeps its answer", () => {
    const run = written();
    answerAs(run);
    const before = newestEffect(run);
    expect(getCode(run.propose({ type: "engine", epoch: 2 }, { kind: "recover", effect_id: before.effect_id }, { epoch: 2 }))).toBe(
      "accepted",
    );
    expect(openGate(run).gate.reason).toBe("unclear_effect");
    run.propose(reviewer, decision(run, reviewer), { epoch: 2 });
    expect(newestEffect(run)).toMatchObject({ effect_id: before.effect_id, outcome: null, epoch: 2 });
    expect(findAnsweredInput(run.state(), before.effect_id)?.responses).toMatchObject({ ask: { action: "accept" } });
  });

  test("that only reads is repeated after a crash with its answer", () => {
    const run = atQuestion();
    answerAs(run);
    run.propose({ type: "engine", epoch: 2 }, { kind: "recover", effect_id: newestEffect(run).effect_id }, { epoch: 2 });
    expect(run.state().status).toBe("running");
    expect(newestEffect(run)).toMatchObject({ epoch: 2, outcome: null });
    expect(findAnsweredInput(run.state(), newestEffect(run).effect_id)?.responses).toMatchObject({ ask: { content: ANSWER[0] } });
  });
});
