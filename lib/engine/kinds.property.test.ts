import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toCanonicalJson, type Json } from "@/lib/json";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { isTerminal } from "@/lib/engine/event";
import { stripPrefix } from "@/lib/engine/frame";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState, findOpenWait, heldBy, type RunState } from "@/lib/engine/state";
import { anyVersion } from "@/lib/engine/testing/any-graph";
import { anyStep } from "@/lib/engine/testing/any-step";
import { engine, newRun, startBody, STARTER, user, type TestRun } from "@/lib/engine/testing/run";

const stored = <T>(value: T): T => JSON.parse(toCanonicalJson(value as Json)) as T;
const text = (state: RunState): string => toCanonicalJson(state);

const eventsOf = (run: TestRun) => run.records().flatMap(({ record }) => record.control.map((event) => ({ event, record })));

const checkReplay = (run: TestRun): void => {
  const { workspace, run: id, graphHash, policyHash } = run.state();
  const entries = run.records().map((signed, index) => [stored(signed), stored(run.values()[index] ?? [])] as const);
  const fold = (from: RunState, some: typeof entries) => some.reduce((state, [signed, values]) => applyRecord(state, signed, values), from);
  const start = createRunState(workspace, id, graphHash, policyHash);
  expect(text(fold(start, entries))).toBe(text(run.state()));
  const half = Math.floor(entries.length / 2);
  expect(text(fold(stored(fold(start, entries.slice(0, half))), entries.slice(half)))).toBe(text(run.state()));
};

const checkState = (run: TestRun): void => {
  const state = run.state();
  const open = Object.values(state.gates).filter(({ status }) => status === "open").length;
  expect(open + (heldBy(state) ? 1 : 0) + (findOpenWait(state) ? 1 : 0)).toBe(state.status === "waiting" ? 1 : 0);
  expect(state.iterationCount).toBeLessThanOrEqual(run.published.graph.max_iterations);
  expect(isTerminal(state.status) && (state.currentNode !== null || state.frames.length > 0 || state.unwinding !== null)).toBe(false);
  const { max_token_budget: budget } = run.published.graph;
  expect(state.totalTokens).toBeLessThanOrEqual(budget ?? Infinity);
  for (const cell of state.cells) expect(cell.path).toMatch(/^[a-z]/);
};

const checkEffects = (run: TestRun): void => {
  for (const { event, record } of eventsOf(run)) {
    if (event.type !== "effect_intended") continue;
    const gate = event.approval_id === null ? undefined : run.state().gates[event.approval_id];
    const label = record.writes.find(({ path }) => path === `$arguments.${event.effect_id}`)?.label;
    const needs = event.effect_class === "irreversible" || (event.effect_class === "write" && label?.integrity !== "trusted");
    if (label) expect(!needs || gate?.status === "approved").toBe(true);
    if (gate) expect(gate.gate.transition.effect).toEqual(event.effect);
    expect(gate?.decisions.some(({ user: by }) => by === STARTER) ?? false).toBe(false);
  }
};

const checkCells = (run: TestRun): void => {
  for (const { record } of run.records()) {
    const approved = record.control.some(
      (event) => event.type === "gate_resolved" && event.outcome === "approved" && event.receipt !== null,
    );
    for (const { path, label } of record.writes.filter((write) => !write.path.startsWith("$"))) {
      const own = stripPrefix(path);
      expect(own.startsWith("is_admin") && !approved && record.kind === "transition").toBe(false);
      const raisedBy = label.provenance.filter((source) => source.startsWith("approver:"));
      expect(label.integrity === "reviewed" && raisedBy.length === 0).toBe(false);
      expect(label.integrity === "trusted" && label.provenance.some((source) => source.startsWith("mcp:"))).toBe(false);
    }
  }
};

/** Edges only, and no purely untrusted choice. */
const checkRoute = (run: TestRun): void => {
  for (const { event, record } of eventsOf(run)) {
    if (event.type !== "node_entered" || !run.published.graph.strict_taint) continue;
    const led = event.controls.some(({ label }) => label.integrity === "untrusted");
    const allowed = record.control.some(({ type }) => type === "gate_resolved");
    const before = eventsOf(run).some(({ event: other, record: earlier }) => other.type === "gate_resolved" && earlier.seq <= record.seq);
    expect(led && !allowed && !before).toBe(false);
  }
};

test("a run of any graph keeps its invariants under any proposals, and equals its records", () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(anyVersion, fc.array(anyStep, { minLength: 10, maxLength: 40, size: "max" }), (published, steps) => {
      const run = newRun(published);
      run.propose(user(STARTER, "builder"), startBody(published, { topic: "plans", mail: "a", items: [1, 2], salary: 9, person: "Ada" }));
      run.propose(engine, { kind: "begin" });
      for (const step of steps) {
        const before = run.state();
        const verdict = step(run) as Verdict | undefined | boolean;
        const refused = typeof verdict === "object" && !verdict.ok;
        expect(refused && run.state().cells !== before.cells && run.state().version === before.version + 1).toBe(false);
      }
      checkReplay(run);
      checkState(run);
      checkEffects(run);
      checkCells(run);
      checkRoute(run);
      for (const { event } of eventsOf(run)) reached.add(event.type === "gate_opened" ? event.gate.reason : event.type);
      reached.add(run.state().status);
    }),
    { numRuns: 400 },
  );
  const places = [
    "completed",
    "failed",
    "frame_entered",
    "frame_left",
    "compensation_pushed",
    "supervisor_chose",
    "attempt_failed",
    "wait_ended",
  ];
  for (const name of [...places, "approval_node", "protected_key", "gate_resolved", "model_called"]) expect([...reached]).toContain(name);
});
