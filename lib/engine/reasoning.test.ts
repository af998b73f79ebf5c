import { expect, test } from "vitest";
import { buildExecutorInput } from "@/lib/engine/executor-input";
import { findAside, getKnownValue } from "@/lib/engine/state";
import { END, version } from "@/lib/engine/testing/kinds";
import { getCode, started, type TestRun } from "@/lib/engine/testing/run";
import { ask, drive } from "@/lib/engine/testing/work";
import { MAX_REASONING_CHARACTERS, reasoningSchema } from "@/lib/engine/thread";
import { getReasoningPath, getThreadPath } from "@/lib/engine/thread-of";
import { getContextLabel, listInfluences } from "@/lib/engine/view";

const THOUGHT = "The customer may be lying.";
const published = version([{ id: "n", kind: "agent", read_keys: ["person"], write_keys: ["out"], config: { agent_id: "plain" } }, END]);
const node = published.graph.nodes[0]!;

const atAgent = (): TestRun => {
  const run = started(published, { person: "Ann" });
  drive(run);

  return run;
};

test("keeps the thinking of a call in a cell of its own under the answer's label", () => {
  const run = atAgent();
  expect(getCode(ask(run, "", { reasoning: THOUGHT }))).toBe("accepted");
  const [thought] = findAside(run.state(), getReasoningPath(run.state(), ""));
  const [said] = findAside(run.state(), getThreadPath(run.state()));

  expect(thought && getKnownValue(thought)).toBe(THOUGHT);
  expect(thought?.label).toEqual(said?.label);
  expect(thought?.label.confidentiality).toBe("pii");
  expect(JSON.stringify(said)).not.toContain(THOUGHT);
  expect(JSON.stringify(run.records())).not.toContain(THOUGHT);
});

test("tells no model what one thought, so it shapes nothing", () => {
  const [quiet, thinking] = [atAgent(), atAgent()];
  ask(quiet);
  ask(thinking, "", { reasoning: THOUGHT });
  const input = buildExecutorInput(published, thinking.state(), node, thinking.state().activation ?? 0);

  expect(JSON.stringify(input)).not.toContain(THOUGHT);
  expect(listInfluences(published, thinking.state(), node).map(({ path }) => path)).not.toContain(getReasoningPath(thinking.state(), ""));
  expect(getContextLabel(published, thinking.state(), node)).toEqual(getContextLabel(published, quiet.state(), node));
});

test("stores nothing for a call that told no thinking, and refuses more than is kept", () => {
  const run = atAgent();
  ask(run);
  expect(findAside(run.state(), getReasoningPath(run.state(), ""))).toEqual([]);
  const [kept, more] = [MAX_REASONING_CHARACTERS, MAX_REASONING_CHARACTERS + 1].map(
    (length) => reasoningSchema.safeParse("x".repeat(length)).success,
  );
  expect([kept, more]).toEqual([true, false]);
});
