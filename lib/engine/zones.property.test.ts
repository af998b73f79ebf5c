import * as fc from "fast-check";
import { expect, test } from "vitest";
import { getOutcome } from "@/lib/engine/approvals/cases";
import { executor, intent, result, settle, update, type TestRun } from "@/lib/engine/testing/run";
import { ask, drive, createFailure } from "@/lib/engine/testing/work";
import { atExtract, FORM, review, says, zone } from "@/lib/engine/testing/zones";

type Step = (run: TestRun) => unknown;

const path = fc.constantFrom("form", "good", "mail", "out", "form.plan", "good.plan");
const value = fc.constantFrom<unknown>(FORM, { ...FORM, seats: 99 }, "team", { plan: "team" }, null);
const change = fc.tuple(path, value).map(([at, to]) => update(at, to));
const task = fc.constantFrom("", "reviewer.0", "reviewer.1", "check.0.0", "judge");
const text = fc.constantFrom(says("approve"), says("reject"), says("approve", { by: "user" }), JSON.stringify(FORM), "approve");

const work: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(change, { maxLength: 2 }).map(
      (actions): Step =>
        (run) =>
          run.work(result(...actions)),
    ),
  },
  change.map(
    (action): Step =>
      (run) =>
        run.work({ kind: "action", action }),
  ),
  {
    weight: 4,
    arbitrary: fc.tuple(task, text).map(
      ([name, said]): Step =>
        (run) =>
          ask(run, name, { text: said }),
    ),
  },
  {
    weight: 4,
    arbitrary: task.map(
      (name): Step =>
        (run) =>
          run.work({ kind: "verdict", task: name }),
    ),
  },
  task.map(
    (name): Step =>
      (run) =>
        run.work({ kind: "task_failure", task: name, code: "model_failed", detail: "" }),
  ),
  fc.boolean().map(
    (retryable): Step =>
      (run) =>
        run.work(createFailure("model_failed", { retryable })),
  ),
  fc.constant<Step>((run) => run.work(intent("docs", "read", {}))),
  fc.constant<Step>((run) => Object.keys(run.state().effects).length > 0 && settle(run, FORM)),
  fc.tuple(fc.constantFrom("review", "judge", "extract"), fc.constantFrom("open_case", "close_case", "verdict", "node_result")).map(
    ([node, kind]): Step =>
      (run) =>
        run.propose(executor(node), {
          kind,
          activation: run.state().activation ?? 0,
          actions: [],
          task: "reviewer.0",
          case_id: Object.keys(run.state().cases)[0],
        } as never),
  ),
);
const fill: fc.Arbitrary<Step> = fc.constant((run) => {
  ask(run, "", { text: JSON.stringify(FORM) });
  run.work(result(update("form", FORM)));
});
const hear: fc.Arbitrary<Step> = fc.constant((run) => {
  ask(run, "reviewer.0", { text: says("approve") });
  run.work({ kind: "verdict", task: "reviewer.0" });
});
const engineWorks: fc.Arbitrary<Step> = fc.constant((run) => {
  drive(run);
  run.pass(2_000);
  drive(run);
});

const isReviewed = (run: TestRun): boolean =>
  run.records().some(({ record }) => record.writes.some(({ label }) => label.integrity === "reviewed"));

const played = (published: ReturnType<typeof zone>, steps: readonly Step[]): TestRun => {
  const run = atExtract(published);
  for (const step of steps) step(run);

  return run;
};

const BY_MODELS = zone({ review: review({ rework: { node: "extract", limit: 1 } }) });
const BY_A_PERSON = zone({ review: review({ reviewers: [{ type: "agent", agent_id: "first" }, { type: "person" }], quorum: 1 }) });

test("executors alone never raise a value to reviewed, whatever they propose", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(work, fill), { minLength: 5, maxLength: 40 }), (steps) => {
      expect(isReviewed(played(BY_MODELS, steps))).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test("nor do they with the engine, while a person has not decided", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(work, fill, engineWorks), { minLength: 5, maxLength: 40 }), (steps) => {
      expect(isReviewed(played(BY_A_PERSON, steps))).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test("reviewed values were judged in the same record by a passed case about exactly their source", () => {
  let raised = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(work, fill, hear, engineWorks), { minLength: 10, maxLength: 60 }), (steps) => {
      const run = played(BY_MODELS, steps);
      for (const { record } of run.records()) {
        const written = record.writes.filter(({ label }) => label.integrity === "reviewed");
        if (written.length === 0) continue;
        raised += 1;
        const judged = record.control.find((event) => event.type === "judged");
        const found = Object.values(run.state().cases).find((one) => one.case.id === judged?.case_id);
        expect(written.map((write) => write.path)).toEqual(["good"]);
        expect(judged).toMatchObject({ outcome: "approved", reason: "passed" });
        expect(found && getOutcome(found)).toBe("passed");
        const { subject } = found?.case ?? {};
        const source = subject?.type === "cell" ? subject.cells.map(({ seq }) => seq) : [];
        expect(record.reads.map(({ seq }) => seq)).toEqual(source);
      }
    }),
    { numRuns: 120, seed: 7 },
  );
  expect(raised).toBeGreaterThan(0);
});
