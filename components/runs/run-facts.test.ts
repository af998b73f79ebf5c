import { expect, test } from "vitest";
import { withArtifacts, type Artifact } from "@/lib/artifact";
import { CLEAN, type Label } from "@/lib/graph/label";
import { publishWith } from "@/lib/engine/testing/graph";
import { atGate, engine, started, STARTER, user } from "@/lib/engine/testing/run";
import { describeEnd, findWaitEnd, listLimitLines, readAsked } from "./run-facts";

const name = (id: string) => `node ${id}`;

test("gives goal and inputs of the first record", () => {
  expect(readAsked(started(publishWith()).state())).toEqual({
    goal: { kind: "value", value: "Handle the mail" },
    inputs: [{ key: "topic", shown: { kind: "value", value: "plans" } }],
  });
});

test("gives an input that is a file by its name, unless its label does not vouch for it", () => {
  const file: Artifact = {
    $artifact: "a".repeat(64),
    id: "00000000-0000-4000-8000-000000000001",
    mediaType: "image/png",
    size: 3,
    name: "bill.png",
  };
  const state = started(publishWith()).state();
  const given = (label: Label) => ({
    ...state,
    cells: state.cells.map((cell) => ({ ...cell, label, content: { known: true, value: file } as const })),
  });
  const [cell] = state.cells;
  const own = cell?.label ?? CLEAN;

  expect(readAsked(given(withArtifacts(own, [file]))).inputs).toEqual([{ key: "topic", shown: { kind: "value", value: "bill.png" } }]);
  expect(readAsked(given(own)).inputs).toEqual([{ key: "topic", shown: { kind: "value", value: file } }]);
});

test("gives progress against each limit, and null where there is none", () => {
  const run = started(publishWith({ max_iterations: 4, max_execution_time_ms: 10_000, max_token_budget: 0 }));
  run.pass(5_000);

  expect(listLimitLines(run.state(), run.now())).toEqual([
    { name: "Iterations", used: "0", limit: "4", share: 0 },
    { name: "Time", used: "5 s", limit: "10 s", share: 0.5 },
    { name: "Tokens", used: "0", limit: "0", share: 1 },
    { name: "Cost", used: "$0.00", limit: null, share: null },
  ]);
});

test("says until when a run waits, and nothing once it has ended", () => {
  const run = atGate();
  const [gate] = Object.values(run.state().gates);
  expect(findWaitEnd(run.state())).toBe(gate?.gate.expires_at);
  run.propose(user(STARTER, "builder"), { kind: "cancel" });

  expect(findWaitEnd(run.state())).toBeNull();
});

test("says why a run ended: a limit, a person, or a node", () => {
  const late = started(publishWith({ max_execution_time_ms: 1_000 }));
  expect(describeEnd(late.state(), name)).toBeNull();
  late.pass(2_000);
  late.propose(engine, { kind: "stop", limit: "time_limit" });
  expect(describeEnd(late.state(), name)).toBe("The run's time limit is reached.");

  const cancelled = started(publishWith());
  cancelled.propose(user(STARTER, "builder"), { kind: "cancel" });
  expect(describeEnd(cancelled.state(), name)).toBe("A person cancelled the run.");

  const state = { ...late.state(), endReason: "tool_error", lastError: { node: "fetch", code: "tool_error" } };
  expect(describeEnd(state, name)).toBe("node fetch failed: tool error");
});
