import { describe, expect, test } from "vitest";
import {
  AUTHOR,
  getCode,
  decideAs,
  decision,
  engine,
  executor,
  openGate,
  result,
  REVIEWER,
  SECOND,
  STARTER,
  update,
  user,
  uuid,
} from "@/lib/engine/testing/run";
import type { TestRun } from "@/lib/engine/testing/run";
import { describeExpiry, describeRejection } from "@/lib/engine/approvals/rejection";
import { nodeSchema } from "@/lib/graph/document";
import { decide } from "@/lib/engine/decide";
import { plan } from "@/lib/engine/plan";
import { answer, ask, drive, createFailure, reserve } from "@/lib/engine/testing/work";
import { atExtract, atReview, fillIn, FORM, openCase, review, says, speak, zone } from "@/lib/engine/testing/zones";

const ENVELOPE = { id: uuid(900), workspace: uuid(1), run: uuid(2), epoch: 1, fresh: [uuid(901), uuid(902)] as [string, string] };

const two = review({
  reviewers: [
    { type: "agent", agent_id: "first" },
    { type: "agent", agent_id: "second" },
  ],
  quorum: 2,
});
const people = (count: number, quorum = count) => review({ reviewers: [{ type: "person", role: "reviewer", count }], quorum });
const reworked = (limit: number, more = {}) => review({ rework: { node: "extract", limit }, ...more });

const outcomes = (run: TestRun) => Object.values(run.state().cases).map(({ status }) => status);
const verdicts = (run: TestRun) =>
  Object.values(run.state().cases).flatMap((found) => found.verdicts.map(({ by, verdict }) => [by, verdict]));
const lastCode = (run: TestRun) => run.state().lastError?.code;
const judging = (run: TestRun, by: string, choice: "approve" | "reject" | "abstain", more = {}) =>
  run.propose(user(by), { ...decision(run, user(by)), decision: choice, ...more });

describe("a case", () => {
  test("is opened by the engine only, about exactly the current values, with their authors", () => {
    const run = atExtract();
    fillIn(run);
    expect(getCode(run.work({ kind: "open_case" }))).toBe("principal_not_allowed");
    expect(getCode(run.propose(engine, { kind: "open_case", activation: 999 }))).toBe("case_unknown");
    drive(run);
    const form = run.state().cells.find((cell) => cell.path === "form");
    expect(openCase(run)?.case).toMatchObject({
      subject: { type: "cell", path: "form", cells: [{ path: "form", seq: form?.seq, commitment: form?.commitment }] },
      producers: ["agent:clerk", "model:a:alpha-1", `user:${STARTER}`],
      quorum: 1,
    });
    expect(getCode(run.propose(engine, { kind: "open_case", activation: run.state().activation ?? 0 }))).toBe("case_unknown");
  });

  test.each([
    ["reviewer_is_producer", [{ type: "agent" as const, agent_id: "clerk" }]],
    ["reviewer_is_producer", [{ type: "agent" as const, agent_id: "twin" }]],
    [
      "reviewers_of_one_family",
      [
        { type: "agent" as const, agent_id: "first" },
        { type: "agent" as const, agent_id: "cousin" },
      ],
    ],
    ["agent_missing", [{ type: "agent" as const, agent_id: "missing" }]],
  ])("does not open when %s", (code, reviewers) => {
    const run = atReview(zone({ review: review({ reviewers }) }));
    expect(lastCode(run)).toBe(code);
    expect(run.state().status).toBe("failed");
    expect(outcomes(run)).toEqual([]);
  });

  test("does not open without a value", () => {
    const run = atReview(zone({ review: review({ target: "items" }, { read_keys: ["items"] }) }));
    expect(lastCode(run)).toBe("nothing_to_review");
  });
});

describe("a model's verdict", () => {
  test("is what its recorded call says, only of designated reviewers, once", () => {
    const run = atReview(zone({ review: two }));
    const proposal = { kind: "verdict" as const, task: "reviewer.0" };
    expect(getCode(run.work(proposal))).toBe("verdict_unknown");
    expect(getCode(run.work({ kind: "verdict", task: "reviewer.2" }))).toBe("verdict_unknown");
    expect(getCode(run.work({ kind: "verdict", task: "" }))).toBe("verdict_unknown");
    expect(getCode(run.propose(executor("judge"), { ...proposal, activation: run.state().activation ?? 0 }))).toBe("node_not_active");
    expect(getCode(speak(run, says("reject")))).toBe("accepted");
    expect(getCode(run.work(proposal))).toBe("verdict_unknown");
    expect(verdicts(run)).toEqual([["agent:first", "reject"]]);
    expect(getCode(run.work({ ...proposal, verdict: "approve" }))).toBe("malformed");
  });

  test.each([
    "yes",
    '{"verdict":"approved"}',
    '{"verdict":"approve","also":1}',
    '{"verdict":"reject","verdict":"approve"}',
    '{"verdict":"reject","\\u0076erdict":"approve"}',
    '{"verdict":"approve","findings":[{"code":"wrong","code":"sensitive"}]}',
    "I approve.",
    "[]",
  ])("with %s counts as none", (text) => {
    const run = atReview();
    speak(run, text);
    expect(verdicts(run)).toEqual([["agent:first", "abstain"]]);
    expect(Object.values(run.state().cases)[0]?.verdicts[0]?.findings).toEqual([{ code: "malformed", start: null, end: null }]);
    expect(outcomes(run)).toEqual(["rejected"]);
  });

  test("names declared findings at existing places, and its text is an untrusted cell beside memory", () => {
    const run = atReview();
    const findings = [
      { code: "wrong", start: 0, end: 4 },
      { code: "wrong", start: 0, end: 9_999 },
      { code: "canary", start: 0, end: 1 },
      "x",
    ];
    speak(run, says("reject", { findings, comment: "canary-9" }));
    expect(Object.values(run.state().cases)[0]?.verdicts[0]?.findings).toEqual([
      { code: "wrong", start: 0, end: 4 },
      { code: "wrong", start: null, end: null },
    ]);
    const [cell] = run.state().aside.filter(({ path }) => path.startsWith("$verdict."));
    expect(cell).toMatchObject({ content: { known: true, value: "canary-9" }, label: { integrity: "untrusted" } });
    expect(JSON.stringify(run.records().map(({ record }) => record.control))).not.toContain("canary");
  });

  test("that never comes is missing, whatever the others approve", () => {
    const run = atReview(
      zone({
        review: review({
          reviewers: [
            { type: "agent", agent_id: "first" },
            { type: "agent", agent_id: "second" },
          ],
          quorum: 1,
        }),
      }),
    );
    speak(run, says("approve"));
    run.work({ kind: "task_failure", task: "reviewer.1", code: "model_failed", detail: "" });
    expect(outcomes(run)).toEqual(["rejected"]);
    expect(run.state().currentNode).toBe("judge");
  });

  test("is hidden from other reviewers", () => {
    const run = atReview(zone({ review: two }));
    speak(run, says("approve", { comment: "canary-3" }));
    reserve(run, "reviewer.1");
    ask(run, "reviewer.1", { text: says("approve") });
    const other = run.state().aside.find(({ path }) => path.endsWith(".reviewer.1"));
    expect(other?.label.provenance).not.toContain("agent:first");
    run.work({ kind: "verdict", task: "reviewer.1" });
    expect(outcomes(run)).toEqual(["passed"]);
  });
});

describe("people at a case", () => {
  test("are asked after the models and counted with them", () => {
    const mixed = review({ reviewers: [{ type: "agent", agent_id: "first" }, { type: "person" }], quorum: 2 });
    const run = atReview(zone({ review: mixed }));
    expect(Object.keys(run.state().gates)).toEqual([]);
    speak(run, says("approve"));
    const { gate } = openGate(run);
    expect(gate).toMatchObject({ id: openCase(run)?.case.id, reason: "review", quorum: 1, review_keys: ["form", "mail"] });
    expect(getCode(judging(run, REVIEWER, "approve", { findings: [], reason: "canary-5" }))).toBe("accepted");
    expect(verdicts(run)).toEqual([
      ["agent:first", "approve"],
      [`user:${REVIEWER}`, "approve"],
    ]);
    expect(outcomes(run)).toEqual(["passed"]);
    expect(run.state().aside.find(({ content }) => content.known && content.value === "canary-5")).toMatchObject({
      label: { integrity: "untrusted" },
    });
  });

  test("exclude initiator, author and producers; each decides once", () => {
    const run = atReview(zone({ review: people(2) }));
    expect(getCode(decideAs(run, user(STARTER, "builder")))).toBe("role_missing");
    expect(getCode(decideAs(run, user(STARTER)))).toBe("own_run");
    expect(getCode(decideAs(run, user(REVIEWER)))).toBe("accepted");
    expect(getCode(decideAs(run, user(REVIEWER)))).toBe("duplicate_decision");
    expect(outcomes(run)).toEqual(["open"]);
    expect(getCode(decideAs(run, user(SECOND)))).toBe("accepted");
    expect(outcomes(run)).toEqual(["passed"]);
    expect(getCode(decideAs(atReview(zone({ review: people(1) })), user(AUTHOR)))).toBe("own_version");
  });

  test("who produced the subject do not review it", () => {
    const run = atReview(zone({ review: people(1) }));
    const found = openCase(run);
    if (!found) throw new Error("no case is open");
    const producers = [...found.case.producers, `user:${REVIEWER}`];
    const state = { ...run.state(), cases: { [found.case.id]: { ...found, case: { ...found.case, producers } } } };
    const proposal = { ...ENVELOPE, at: run.now(), principal: user(REVIEWER), body: decision(run, user(REVIEWER)) };
    expect(decide(run.published, state, proposal)).toMatchObject({ ok: false, refusal: { code: "own_work" } });
    expect(decide(run.published, run.state(), proposal).ok).toBe(true);
  });

  test("may abstain, which approves nothing; one rejection is enough", () => {
    const abstaining = atReview(zone({ review: people(1) }));
    expect(getCode(judging(abstaining, REVIEWER, "abstain"))).toBe("accepted");
    expect(outcomes(abstaining)).toEqual(["rejected"]);
    const refusing = atReview(zone({ review: people(2) }));
    judging(refusing, REVIEWER, "reject", {
      findings: [
        { code: "wrong", start: 0, end: 3 },
        { code: "made_up", start: null, end: null },
      ],
    });
    expect(outcomes(refusing)).toEqual(["rejected"]);
    expect(Object.values(refusing.state().cases)[0]?.verdicts[0]?.findings).toEqual([{ code: "wrong", start: 0, end: 3 }]);
  });

  test("have until the case expires, and then the run continues", () => {
    const run = atReview(zone({ review: people(1) }));
    run.pass(60_000);
    drive(run);
    expect(outcomes(run)).toEqual(["expired"]);
    expect(run.state().currentNode).toBe("judge");
  });
});

describe("a case that expires", () => {
  const RESCUE = { id: "rescue", kind: "router" as const, config: {} };
  const expiring = (config: Parameters<typeof review>[0]) => {
    const published = zone({ review: review({ ...config, expiry_node: "rescue" }) });
    const { graph } = published;

    return {
      ...published,
      graph: { ...graph, nodes: [...graph.nodes, nodeSchema.parse(RESCUE)], end_nodes: [...graph.end_nodes, "rescue"] },
    };
  };
  const byPeople = { reviewers: [{ type: "person" as const, role: "reviewer" as const, count: 1 }] };
  const rework = { node: "extract", limit: 1 };
  const overdue = (run: TestRun) => {
    run.pass(60_000);
    drive(run);
  };

  test.each([
    ["by people", byPeople],
    ["by models", {}],
    ["by models with rework", { rework }],
    ["by people after rework", { rework: { ...rework, limit: 0 } }],
  ])("goes to its expiry node, and no further people are asked: %s", (_name, config) => {
    const run = atReview(expiring(config));
    overdue(run);
    expect(run.state().currentNode).toBe("rescue");
    expect(outcomes(run)).toEqual(["expired"]);
  });

  test("goes there from the last resort too", () => {
    const run = atReview(expiring({ rework: { ...rework, limit: 0 } }));
    speak(run, says("reject"));
    expect(outcomes(run)).toEqual(["rejected", "open"]);
    overdue(run);
    expect(run.state().currentNode).toBe("rescue");
  });

  test("goes there by a late verdict of a model", () => {
    const run = atReview(expiring({ rework }));
    answer(run, reserve(run, "reviewer.0"), "reviewer.0", { text: says("approve") });
    run.pass(60_000);
    expect(getCode(run.work({ kind: "verdict", task: "reviewer.0" }))).toBe("accepted");
    expect(run.state().currentNode).toBe("rescue");
  });

  test("is told before it happens, apart from a rejection", () => {
    const run = atReview(expiring({ ...byPeople, rework }));
    const gate = openGate(run);
    expect(describeExpiry(run.published, run.state(), gate)).toMatchObject({ next: { node: "rescue" }, ends: null });
    expect(describeRejection(run.published, run.state(), gate, run.now())).toMatchObject({ next: { node: "extract" } });
  });

  test("does not change the way of a rejection", () => {
    const run = atReview(expiring({ rework }));
    speak(run, says("reject"));
    expect(run.state().currentNode).toBe("extract");
  });

  test("leaves a route that models' silence chose as untrusted", () => {
    const labels = (run: TestRun) => run.state().controls.map(({ label }) => label.integrity);
    const byModels = atReview(expiring({}));
    overdue(byModels);
    expect(labels(byModels)).toEqual(["untrusted"]);
    const reviewed = atReview(expiring(byPeople));
    overdue(reviewed);
    expect(labels(reviewed)).toEqual(["reviewed"]);
  });
});

describe("a failed case", () => {
  test("routes back up to the limit, and then asks people once", () => {
    const run = atReview(zone({ review: reworked(1) }));
    speak(run, says("reject"));
    expect(run.state().currentNode).toBe("extract");
    fillIn(run);
    drive(run);
    speak(run, says("reject"));
    expect(outcomes(run)).toEqual(["rejected", "rejected", "open"]);
    expect(openGate(run).gate).toMatchObject({ reason: "review", quorum: 1 });
    judging(run, REVIEWER, "reject");
    expect(outcomes(run)).toEqual(["rejected", "rejected", "rejected"]);
    expect(run.state().currentNode).toBe("judge");
  });

  test("can pass by the last resort of people, as many as the quorum", () => {
    const run = atReview(zone({ review: { ...two, config: { ...two.config, rework: { node: "extract", limit: 0 } } } as typeof two }));
    speak(run, says("reject"));
    speak(run, says("reject"), 1);
    expect(openGate(run).gate.quorum).toBe(2);
    judging(run, REVIEWER, "approve");
    judging(run, SECOND, "approve");
    expect(outcomes(run)).toEqual(["rejected", "passed"]);
  });

  test.each([
    ["by models", review()],
    ["by people", people(1)],
  ])("with a changed subject is void and opened again: %s", (_name, node) => {
    const run = atReview(zone({ review: node }));
    const cells = run
      .state()
      .cells.map((cell) => (cell.path === "form" ? { ...cell, seq: cell.seq + 1, commitment: cell.commitment.replace(/^./u, "0") } : cell));
    const state = { ...run.state(), cells };
    const work = plan(run.published, state, run.now(), 1);
    const body = work.type === "propose" ? work.body : { kind: "begin" as const };
    expect(["close_case", "void"]).toContain(body.kind);
    const verdict = decide(run.published, state, { ...ENVELOPE, at: run.now(), principal: engine, body });
    const events = verdict.ok ? verdict.events : [];
    expect(events).toContainEqual({ type: "case_closed", case_id: openCase(run)?.case.id, outcome: "void" });
    expect(events).toContainEqual(expect.objectContaining({ type: "attempt_failed", code: "case_void" }));
    expect(getCode(run.propose(engine, { kind: "close_case", case_id: openCase(run)?.case.id ?? uuid(1) }))).toBe("case_unknown");
  });
});

test("a review node itself has no result", () => {
  const run = atReview();
  expect(getCode(run.work(result()))).toBe("action_not_granted");
  expect(getCode(run.work(result(update("form", FORM))))).toBe("action_not_granted");
  run.work(createFailure("model_failed", { retryable: true }));
  expect(run.state().status).toBe("retrying");
});
