import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { GraphInput, PublishedGraph } from "@/lib/graph/document";
import { toCanonicalJson, type Json } from "@/lib/json";
import { findErrorEdge } from "@/lib/engine/decide/route";
import { isTerminal } from "@/lib/engine/event";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState, isResting, type RunState } from "@/lib/engine/state";
import { anyVersion, IDS } from "@/lib/engine/testing/any-graph";
import { anyStep } from "@/lib/engine/testing/any-step";
import { step as node, version } from "@/lib/engine/testing/kinds";
import { agent, request, step } from "@/lib/engine/testing/outside";
import { newRun, result, startBody, STARTER, update, user, type TestRun } from "@/lib/engine/testing/run";
import { drive, createFailure } from "@/lib/engine/testing/work";
import { listBlockedActions, listLegalActions } from "@/lib/outside/legal";
import { listActionNodes } from "@/lib/graph/actions";

const text = (value: unknown): string => toCanonicalJson(value as Json);

const eventsOf = (run: TestRun) => run.records().flatMap(({ record }) => record.control);

const ACTION = {
  description: "",
  inputs: [
    { name: "subject", path: "note", description: "", required: false },
    { name: "admin", path: "is_admin", description: "", required: false },
  ],
};

/** Subgraphs run themselves. */
const anyDriven: fc.Arbitrary<PublishedGraph> = anyVersion.map((published) => ({
  ...published,
  graph: {
    ...published.graph,
    external: { read_keys: [], clearance: "internal", instructions: "", idle_timeout_ms: 3_600_000 },
    nodes: published.graph.nodes.map((one) => ({ ...one, action: ACTION })),
  },
}));

const name = fc.constantFrom(...IDS, "worker", "nowhere", "constructor");
const given = fc.constantFrom<Json>(null, {}, { subject: "x" }, '{"subject": 1}', { subject: "x", admin: true }, { other: 1 }, "no", 7);
const mostlyNone = fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant<Json>({ admin: true }) });
const by = fc.constantFrom(agent(), agent({ integrity: "trusted" }), agent({ scopes: ["run.read"] }));
const legalName = fc.nat(3);

type Asked = (run: TestRun) => unknown;

const anyAsked: fc.Arbitrary<Asked> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(name, given, by).map(
      ([at, inputs, who]): Asked =>
        (run) =>
          step(run, at, inputs, who),
    ),
  },
  {
    weight: 8,
    arbitrary: fc.tuple(legalName, mostlyNone, by).map(([index, inputs, who]): Asked => (run) => {
      const legal = listLegalActions(run.published, run.state());

      return step(run, legal[index % Math.max(1, legal.length)] ?? "nowhere", inputs, who);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(name, given).map(
      ([at, inputs]): Asked =>
        (run) =>
          request(run, at, inputs),
    ),
  },
  { weight: 12, arbitrary: anyStep },
);

const ground = (run: TestRun) => ({ cells: text(run.state().cells), legal: listLegalActions(run.published, run.state()) });

const checkReplay = (run: TestRun): void => {
  const { workspace, run: id, graphHash, policyHash } = run.state();
  const stored = <T>(value: T): T => JSON.parse(toCanonicalJson(value as Json)) as T;
  const fold = run
    .records()
    .reduce<RunState>(
      (state, signed, index) => applyRecord(state, stored(signed), stored(run.values()[index] ?? [])),
      createRunState(workspace, id, graphHash, policyHash),
    );
  expect(text(fold)).toBe(text(run.state()));
};

const follow = (run: TestRun, asked: Asked, rested: string): string => {
  const before = ground(run);
  const count = run.records().length;
  const wasResting = isResting(run.state());
  asked(run);
  for (const { record } of run.records().slice(count)) {
    const chosen = record.control.find((event) => event.type === "action_chosen");
    if (chosen && record.proposal_kind === "step") expect([wasResting, before.legal.includes(chosen.action)]).toEqual([true, true]);
    if (record.kind === "refusal" && run.records().length === count + 1) expect(ground(run)).toEqual(before);
    const awaited = record.control.find((event) => event.type === "action_awaited");
    if (awaited?.cause === "failed") expect(text(run.state().cells)).toBe(rested);
  }
  const legal = listLegalActions(run.published, run.state());
  const others = listBlockedActions(run.published, run.state()).map(({ action }) => action);
  const actions = listActionNodes(run.published.graph).map(({ id }) => id);
  expect([...new Set([...legal, ...others])].filter((id) => actions.includes(id)).toSorted()).toEqual(actions.toSorted());

  return isResting(run.state()) ? text(run.state().cells) : rested;
};

test("accepts legal steps only, and refused or failed ones leave memory and actions unchanged; the run is its records", () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(anyDriven, fc.array(anyAsked, { minLength: 10, maxLength: 40, size: "max" }), (published, steps) => {
      const run = newRun(published);
      run.propose(agent({ integrity: "trusted" }), startBody(published, { topic: "plans", mail: "a", items: [1, 2] }));
      drive(run);
      let rested = text(run.state().cells);
      for (const asked of steps) rested = follow(run, asked, rested);
      checkReplay(run);
      for (const event of eventsOf(run)) reached.add(event.type === "action_awaited" ? event.cause : event.type);
      for (const { record } of run.records()) if (record.refusal) reached.add(record.refusal.code);
    }),
    { numRuns: 450 },
  );
  const places = ["started", "completed", "failed", "action_chosen", "gate_opened", "frame_entered", "supervisor_chose"];
  const codes = ["unknown_action", "invalid_transition", "validation_failed", "approval_pending", "scope_missing", "key_protected"];
  for (const place of [...places, ...codes]) expect([...reached]).toContain(place);
});

type Edge = NonNullable<GraphInput["edges"]>[number];

const WAYS = ["always", "either", "otherwise", "only", "broken"] as const;
const target = fc.constantFrom<string>(...IDS);

const edgesOf = (source: string): fc.Arbitrary<Edge[]> =>
  fc.tuple(fc.constantFrom(...WAYS), target, target, fc.option(target), fc.option(target)).map(([how, one, other, failed, late]) => {
    const edge = (id: string, to: string, rest: Partial<Edge> = {}): Edge => ({ id: `${source}_${id}`, source, target: to, ...rest });
    const is = { condition: "memory.out == 1.0" };
    const open = {
      always: [edge("a", one)],
      either: [edge("a", one, is), edge("b", other, { condition: "memory.out != 1.0" })],
      otherwise: [edge("a", one, is), edge("b", other, { kind: "default" })],
      only: [edge("a", one, is)],
      broken: [edge("a", one, { condition: "memory.nowhere.x > 0.0" }), edge("b", other, is)],
    }[how];
    const error = failed === null ? [] : [edge("error", failed, { kind: "error" })];

    return [...open, ...error, ...(late === null ? [] : [edge("timeout", late, { kind: "timeout" })])];
  });

const anyLine: fc.Arbitrary<GraphInput["edges"]> = fc.tuple(...IDS.map(edgesOf)).map((edges) => edges.flat());

const anyWork = fc.array(fc.constantFrom(1, 1, 2, "tool_error", "node_timeout"), { minLength: 30, maxLength: 30 });

const NODES = IDS.map((id) => node(id, { failure_policy: { attempts: 1 } }));

const visited = (published: PublishedGraph, work: readonly (number | string)[]): { nodes: string[]; state: RunState } => {
  const run = newRun(published);
  run.propose(user(STARTER, "builder"), startBody(published, { out: 1 }));
  for (const done of work) {
    drive(run);
    const [next] = listLegalActions(published, run.state());
    if (isResting(run.state()) && next !== undefined) step(run, next, null, agent({ integrity: "trusted" }));
    if (isTerminal(run.state().status)) break;
    run.work(typeof done === "number" ? result(update("out", done)) : createFailure(done));
    const last = eventsOf(run).findLast((event) => event.type === "action_awaited");
    const { node: failing = "", code = "" } = run.state().lastError ?? {};
    const isBack = last?.cause === "failed" && findErrorEdge(published, failing, code.endsWith("timeout")) === undefined;
    if (isResting(run.state()) && isBack) break;
  }
  drive(run);
  const nodes = eventsOf(run).flatMap((event) => (event.type === "node_completed" ? [event.node] : []));

  return { nodes, state: run.state() };
};

test("visits the same nodes as the runner when at most one edge is open everywhere", () => {
  const ends = new Set<string>();
  fc.assert(
    fc.property(anyLine, anyWork, fc.uniqueArray(target, { minLength: 1, maxLength: 2 }), (edges, work, end_nodes) => {
      const internal = version(NODES, { edges, end_nodes, max_iterations: 12 });
      const external = {
        ...internal,
        graph: {
          ...internal.graph,
          external: { read_keys: [], clearance: "internal" as const, instructions: "", idle_timeout_ms: 60_000 },
        },
      };
      const [runner, outside] = [visited(internal, work), visited(external, work)];
      expect(outside.nodes).toEqual(runner.nodes);
      const rests = outside.state.status === "waiting";
      expect(rests ? ["failed", "running"] : [outside.state.status]).toContain(runner.state.status);
      ends.add(`${runner.state.status} ${outside.state.status}`);
    }),
    { numRuns: 200 },
  );
  expect([...ends]).toEqual(expect.arrayContaining(["completed completed", "failed failed", "failed waiting"]));
});
