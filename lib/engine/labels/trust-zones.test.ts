import { expect, test } from "vitest";
import { listTrustEvents } from "@/lib/engine/labels/trust-events";
import type { TrustEvent } from "@/lib/engine/labels/trust-event";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState } from "@/lib/engine/state";
import { step as node } from "@/lib/engine/testing/kinds";
import { atRest, driven, OWNER, request, step, TOKEN } from "@/lib/engine/testing/outside";
import { getCode, decideAs, decision, REVIEWER, user, type TestRun } from "@/lib/engine/testing/run";
import { atReview, FORM, judge, judgeNow, review, says, speak, zone } from "@/lib/engine/testing/zones";

const eventsOf = (run: TestRun): TrustEvent[] => {
  const { workspace, run: id, graphHash, policyHash } = run.state();
  let state = createRunState(workspace, id, graphHash, policyHash);

  return run.records().flatMap((signed, index) => {
    state = applyRecord(state, signed, run.values()[index] ?? []);

    return listTrustEvents(signed.record, state);
  });
};
const of = (run: TestRun, ...types: TrustEvent["type"][]) => eventsOf(run).filter(({ type }) => types.includes(type));

test("logs a form reviewed by models and judged by rules as a promotion without people or declassification", () => {
  const run = atReview();
  speak(run, says("approve"));
  judgeNow(run);
  expect(of(run, "case_opened", "verdict", "case_closed", "judged", "promotion", "declassification")).toMatchObject([
    { type: "case_opened", node: "review", path: "form" },
    { type: "verdict", principal: "agent:first", detail: { verdict: "approve", model: "b:beta-1" } },
    { type: "case_closed", detail: { outcome: "passed" } },
    { type: "judged", node: "judge", detail: { outcome: "approved", failed: [] } },
    { type: "promotion", path: "good", detail: { from: "form", people: [] } },
  ]);
});

test("logs a form reviewed by a person as a promotion with that person", () => {
  const run = atReview(zone({ review: review({ reviewers: [{ type: "person", role: "reviewer", count: 1 }] }) }));
  expect(getCode(run.propose(user(REVIEWER), decision(run, user(REVIEWER))))).toBe("accepted");
  judgeNow(run);
  expect(of(run, "promotion")).toMatchObject([{ path: "good", detail: { people: [`user:${REVIEWER}`] } }]);
  expect(of(run, "verdict")).toMatchObject([{ principal: `user:${REVIEWER}` }]);
});

test("logs a rejected form without promotion, with the failed rule", () => {
  const run = atReview(zone({ judge: judge() }), { ...FORM, seats: 11 });
  speak(run, says("approve"));
  judgeNow(run);
  expect(of(run, "promotion")).toEqual([]);
  expect(of(run, "judged")).toMatchObject([{ detail: { outcome: "rejected", failed: ["seats"] } }]);
});

const FIRST = node("first", { read_keys: ["topic"], action: { inputs: [{ name: "subject", path: "topic" }] } });
const GRAPH = driven([FIRST, node("last")], { edges: [{ id: "on", source: "first", target: "last" }] });

test("attributes attempts to their token, allowed or not", () => {
  const run = atRest(GRAPH);
  step(run, "last");
  step(run, "first", { subject: "canary-1" });
  expect(of(run, "token_refused", "token_step")).toMatchObject([
    { type: "token_refused", principal: `token:${TOKEN}` },
    { type: "token_step", principal: `token:${TOKEN}`, node: "first" },
  ]);
  expect(JSON.stringify(eventsOf(run))).not.toContain("canary-1");
});

test("attributes an agent's approved request as declassification to its approver", () => {
  const run = atRest(GRAPH);
  expect(getCode(request(run, "first", { subject: "x" }))).toBe("accepted");
  expect(of(run, "declassification")).toEqual([]);
  decideAs(run, user(REVIEWER));
  expect(of(run, "declassification")).toMatchObject([
    { path: "topic", principal: `user:${REVIEWER}`, detail: { people: [`user:${REVIEWER}`] } },
  ]);
  expect(REVIEWER).not.toBe(OWNER);
});
