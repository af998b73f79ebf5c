import { describe, expect, test } from "vitest";
import { parseEntries } from "@/lib/engine/testing/entries";
import { forkOf } from "@/lib/engine/testing/fork";
import { step as node } from "@/lib/engine/testing/kinds";
import { agent, atRest, does, driven, legal, passes, request, SESSION, step, TOKEN } from "@/lib/engine/testing/outside";
import { getCode, decideAs, REVIEWER, user, type TestRun } from "@/lib/engine/testing/run";
import { createFailure } from "@/lib/engine/testing/work";
import { NOTHING_SEALED } from "@/lib/engine/labels/reading";
import { forkPoint, buildHistory } from "@/lib/outside/history";

const FIRST = node("first", {
  action: {
    inputs: [
      { name: "subject", path: "topic" },
      { name: "hidden", path: "more", required: false },
    ],
  },
});
const GRAPH = driven([FIRST, node("second"), node("last")], { external: { read_keys: ["topic", "out"] } });

const all = (run: TestRun) => buildHistory(GRAPH, parseEntries(run), { limit: 100, sealed: NOTHING_SEALED }).entries;
const worked = () => {
  const run = atRest(GRAPH);
  step(run, "nowhere");
  step(run, "first", { subject: "plans", hidden: "CANARY" });
  does(run, "out", "done");

  return run;
};

describe("the history of a run", () => {
  test("has steps with input, result and actor", () => {
    expect(all(worked())[1]).toMatchObject({
      seq: 4,
      action: "first",
      inputs: {
        subject: { $untrusted: { text: "plans", sources: [`external:${TOKEN}`] } },
        hidden: { $redacted: { path: "more", reason: "grant" } },
      },
      state_after: { topic: { $untrusted: { text: "plans" } }, out: { $untrusted: { text: "done" } } },
      valid_next_actions: ["second"],
      refused: false,
      refusal_reason: null,
      error_type: null,
      principal: { type: "agent", token: TOKEN, session: SESSION },
      forkable: true,
    });
    expect(JSON.stringify(all(worked()))).not.toContain("CANARY");
  });

  test("has refusals without the agent's words", () => {
    const run = worked();
    step(run, "last");
    const entries = all(run);

    expect(entries[0]).toMatchObject({
      action: null,
      inputs: null,
      state_after: null,
      valid_next_actions: ["first"],
      refused: true,
      refusal_reason: "unknown_action",
      forkable: false,
    });
    expect(entries[2]).toMatchObject({ action: "last", refusal_reason: "invalid_transition" });
    expect(JSON.stringify(entries)).not.toContain("nowhere");
  });

  test.each([
    ["tool_error", "action_error"],
    ["node_timeout", "action_timeout"],
  ])("has failed actions: %s", (code, reason) => {
    const run = worked();
    step(run, "second");
    run.work(createFailure(code));

    expect(all(run).at(-1)).toMatchObject({ action: "second", refused: true, refusal_reason: reason, error_type: code, state_after: null });
  });

  test("has rejected steps", () => {
    const run = worked();
    request(run, "second");
    decideAs(run, user(REVIEWER), "reject");

    expect(all(run).at(-1)).toMatchObject({
      action: "second",
      refused: true,
      refusal_reason: "approval_rejected",
      valid_next_actions: ["second"],
    });
  });

  test("has the end, after which nothing is legal", () => {
    const run = worked();
    step(run, "second");
    passes(run);
    step(run, "last");
    passes(run);

    expect(all(run).at(-1)).toMatchObject({ action: "last", refused: false, valid_next_actions: [], forkable: false });
  });

  test("has a marker for a reset, and the action in flight before it", () => {
    const run = worked();
    step(run, "second");
    run.propose(agent(), { kind: "cancel" });

    expect(all(run).slice(-2)).toMatchObject([
      { action: "second", refused: true, error_type: "cancelled" },
      { action: "reset_session", refused: false, valid_next_actions: [], forkable: false },
    ]);
  });

  test("is paged, newest first", () => {
    const run = worked();
    const newest = buildHistory(GRAPH, parseEntries(run), { limit: 1, sealed: NOTHING_SEALED });
    const older = buildHistory(GRAPH, parseEntries(run), { limit: 1, before: newest.cursor ?? 0, sealed: NOTHING_SEALED });

    expect([newest.entries[0]?.action, older.entries[0]?.refusal_reason, older.cursor]).toEqual(["first", "unknown_action", null]);
  });
});

describe("an external agent's fork", () => {
  const fork = (
    run: TestRun,
    seq: number,
    scopes = agent().scopes,
    effects: "simulate" | "live" = "simulate",
    change: object = { type: "none" },
  ) => forkOf(run, seq, change as never, { by: agent({ scopes: [...scopes] }), effects });

  test("rests where the entry left the run, with the same actions and earlier entries", () => {
    const run = worked();
    step(run, "second");
    passes(run);
    const point = forkPoint(GRAPH, parseEntries(run), 4);
    const forked = fork(run, point.ok ? point.value : 0);

    expect([getCode(forked.verdict), legal(forked), forked.state().status]).toEqual(["accepted", ["second"], "waiting"]);
    expect(buildHistory(GRAPH, forked.entries(), { limit: 10, sealed: NOTHING_SEALED }).entries.map(({ action }) => action)).toEqual([
      null,
      "first",
      "fork_at",
    ]);
    step(forked, "second");
    passes(forked);
    step(forked, "last");
    passes(forked);
    expect(forked.state().status).toBe("completed");
  });

  test("rests as long as any other run", () => {
    const run = worked();
    run.pass(1_000_000);

    expect(fork(run, 5).state().position?.since).toBe(run.now() + 60_000);
  });

  test.each([
    [3, "unknown_sequence_id"],
    [99, "unknown_sequence_id"],
    [2, "cannot_fork_to_refusal"],
  ])("is refused at %i: %s", (seq, code) => {
    expect(forkPoint(GRAPH, parseEntries(worked()), seq)).toEqual({ ok: false, error: code });
  });

  test("is refused at a marker or the end", () => {
    const forked = fork(worked(), 5);
    const ended = worked();
    step(ended, "second");
    passes(ended);
    step(ended, "last");
    passes(ended);

    expect(forkPoint(GRAPH, forked.entries(), 5)).toEqual({ ok: false, error: "cannot_fork_to_meta_entry" });
    expect(forkPoint(GRAPH, parseEntries(ended), ended.state().version - 1)).toEqual({ ok: false, error: "run_finished" });
  });

  test("needs its scope, and a live one its own", () => {
    const run = worked();

    expect(getCode(fork(run, 5, ["run.drive"]).verdict)).toBe("scope_missing");
    expect(getCode(fork(run, 5, ["run.fork"], "live").verdict)).toBe("scope_missing");
    expect(getCode(fork(run, 5, ["run.fork_live"], "live").verdict)).toBe("accepted");
  });

  test.each([
    { type: "strict_taint", value: false },
    { type: "memory", path: "out", value: 2 },
    { type: "model", model: "other" },
  ])("changes nothing about the run: %j", (change) => {
    expect(getCode(fork(worked(), 5, undefined, "simulate", change).verdict)).toBe("principal_not_allowed");
  });

  test("inherits no gate: a pending step is at rest again", () => {
    const run = worked();
    request(run, "second");
    const forked = fork(run, run.state().version);

    expect([legal(forked), forked.state().status, Object.values(forked.state().gates).map(({ status }) => status)]).toEqual([
      ["second"],
      "waiting",
      ["void"],
    ]);
    expect(getCode(step(forked, "second"))).toBe("accepted");
  });

  test("counts the parent's driver as a driver", () => {
    expect(fork(worked(), 5).state().fork?.initiators).toEqual([agent().owner]);
  });
});
