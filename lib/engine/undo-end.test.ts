import { describe, expect, it } from "vitest";
import { plan } from "@/lib/engine/plan";
import { END, version, writer } from "@/lib/engine/testing/kinds";
import { getCode, engine, intent, newRun, settle, startBody, started, STARTER, user, type TestRun } from "@/lib/engine/testing/run";
import { cancel, stack, unwind, write } from "@/lib/engine/testing/undo";
import { drive } from "@/lib/engine/testing/work";

const GRACE_MS = 10_000;

const underWay = (): TestRun => {
  const run = started(version([writer("w1"), END]));
  run.work(intent("crm", "write", { what: "plans", by: "w1" }));
  expect(cancel(run)).toBe("accepted");

  return run;
};
const outcomes = (run: TestRun) => Object.values(run.state().effects).map(({ outcome }) => outcome);

describe("a call in flight at cancellation", () => {
  it("is awaited: its answer is recorded and undone before the run ends", () => {
    const run = underWay();
    expect(run.state().status).toBe("running");
    expect(plan(run.published, run.state(), run.now(), 1)).toEqual({ type: "wait", until: run.now() + GRACE_MS });
    expect(getCode(run.propose(engine, { kind: "unwound" }))).toBe("nothing_to_undo");
    settle(run, { id: "w1" });
    unwind(run, ["ok"]);
    expect(stack(run)).toEqual([["w1", "done"]]);
    expect(run.state().status).toBe("cancelled");
  });

  it("is abandoned at its timeout, not before", () => {
    const run = underWay();
    const [effect] = Object.values(run.state().effects);
    const giveUp = () => getCode(run.propose(engine, { kind: "recover", effect_id: effect?.effect_id ?? "" }));
    run.pass(GRACE_MS - 1);
    expect(giveUp()).toBe("effect_unknown");
    run.pass(1);
    drive(run);
    expect(outcomes(run)).toEqual(["abandoned"]);
    expect(run.state().status).toBe("cancelled");
  });
});

it("cancelling during the undo phase leaves the rest in place, on record", () => {
  const run = started(version([writer("w1"), writer("w2"), END]));
  write(run);
  write(run);
  cancel(run);
  expect(cancel(run)).toBe("accepted");
  expect(stack(run)).toEqual([
    ["w1", "declined"],
    ["w2", "declined"],
  ]);
  expect(run.state().status).toBe("cancelled");
});

it("a refused start cannot be cancelled by others", () => {
  const run = newRun(version([END]));
  expect(getCode(run.propose(user(STARTER, "viewer"), startBody(run.published)))).toBe("principal_not_allowed");
  expect(cancel(run)).toBe("not_found");
  expect(run.state()).toMatchObject({ status: "pending", start: null });
});
