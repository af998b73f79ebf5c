import { expect, test } from "vitest";
import { plan } from "@/lib/engine/plan";
import { publishWith } from "@/lib/engine/testing/graph";
import { decideAs, engine, result, REVIEWER, SECOND, settle, started, STARTER, intent, user, type TestRun } from "@/lib/engine/testing/run";
import { agentSchema } from "@/lib/graph/document";
import { END, TOOLS, version } from "@/lib/engine/testing/kinds";
import { createFailure } from "@/lib/engine/testing/work";
import { atReview, review, zone } from "@/lib/engine/testing/zones";

const outcomes = (run: TestRun) => Object.values(run.state().cases).map(({ status }) => status);
const closings = (run: TestRun) => {
  const last = run.records().at(-1)?.record.control ?? [];

  return last.flatMap((event) => (event.type === "case_closed" ? [event.outcome] : []));
};
const cancel = (run: TestRun) => run.propose(user(STARTER, "builder"), { kind: "cancel" });
const people = review({ reviewers: [{ type: "person", role: "reviewer", count: 2 }], quorum: 2 });
const stubborn = review({}, { failure_policy: { attempts: 1, backoff: "fixed", backoff_ms: 0 } });

const atCheck = (): TestRun => {
  const checks = [{ id: "security" as const, agent_id: "guard" }];
  const tools = TOOLS.map(({ server, tool }) => ({ server, tool }));
  const agents = [
    agentSchema.parse({ id: "plain", name: "plain", model: "a:alpha", tools }),
    agentSchema.parse({ id: "guard", name: "guard", model: "b:beta" }),
  ];
  const pay = { id: "pay", kind: "agent" as const, effect: "write" as const, config: { agent_id: "plain" } };
  const run = started(version([pay, END], { verification: { checks } }, { agents }), { topic: "plans" });
  run.work(intent("crm", "write", { what: "plans", by: "pay" }));

  return run;
};

test.each([
  ["by models", () => atReview()],
  ["by people", () => atReview(zone({ review: people }))],
  ["about a call", atCheck],
])("voids an open case in the record that cancels its run: %s", (_name, at) => {
  const run = at();
  expect(outcomes(run)).toEqual(["open"]);
  cancel(run);
  expect(run.state().status).toBe("cancelled");
  expect(outcomes(run)).toEqual(["void"]);
  expect(closings(run)).toEqual(["void"]);
});

test.each([
  ["a review", () => atReview(zone({ review: stubborn }))],
  ["a call that is verified", atCheck],
])("voids an open case in the record that fails its node for good: %s", (_name, at) => {
  const run = at();
  run.work(createFailure());
  expect(run.state().status).toBe("failed");
  expect(outcomes(run)).toEqual(["void"]);
  expect(closings(run)).toEqual(["void"]);
});

test("voids a case when its node ends without it, and keeps it open for a retry", () => {
  const done = atCheck();
  done.work(result());
  expect(outcomes(done)).toEqual(["void"]);
  const again = atReview();
  again.work(createFailure("model_failed", { retryable: true }));
  expect(again.state().status).toBe("retrying");
  expect(outcomes(again)).toEqual(["open"]);
});

test("does not close an ended case again", () => {
  const run = atReview(zone({ review: people }));
  decideAs(run, user(REVIEWER));
  decideAs(run, user(SECOND));
  expect(outcomes(run)).toEqual(["passed"]);
  cancel(run);
  expect(closings(run)).toEqual([]);
});

const overTime = (run: TestRun) => {
  run.pass(3_600_000);
  const work = plan(run.published, run.state(), run.now(), 1);
  if (work.type === "propose") run.propose(engine, work.body);
};

test.each([
  ["is cancelled", cancel, "cancelled"],
  ["takes too long", overTime, "timeout"],
])("abandons an unanswered call in the record that ends its run, when it %s", (_name, end, status) => {
  const run = started(publishWith());
  run.work(intent("docs", "read", { topic: "plans" }));
  expect(Object.values(run.state().effects).map(({ outcome }) => outcome)).toEqual([null]);
  end(run);
  expect(run.state().status).toBe(status);
  expect(Object.values(run.state().effects).map(({ outcome }) => outcome)).toEqual(["abandoned"]);
  expect(
    run
      .records()
      .at(-1)
      ?.record.control.filter(({ type }) => type === "effect_settled"),
  ).toHaveLength(1);
});

test("does not settle an answered call again when its run ends", () => {
  const run = started(publishWith());
  run.work(intent("docs", "read", { topic: "plans" }));
  settle(run, { text: "here" });
  cancel(run);
  expect(Object.values(run.state().effects).map(({ outcome }) => outcome)).toEqual(["ok"]);
});
