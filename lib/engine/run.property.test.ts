import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCanonicalJson } from "@/lib/json";
import { isTerminal } from "@/lib/engine/event";
import { plan } from "@/lib/engine/plan";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState, toMemory } from "@/lib/engine/state";
import { edgesWith, nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  decideAs,
  engine,
  executor,
  intent,
  newRun,
  openGate,
  result,
  REVIEWER,
  SECOND,
  settle,
  startBody,
  STARTER,
  update,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { parsePath } from "@/lib/graph/path";

const GRAPHS = [
  publishWith({
    max_iterations: 12,
    edges: [...publishWith().graph.edges, { id: "failed", source: "parse", target: "rescue", kind: "error" }],
  }),
  publishWith({ strict_taint: true, edges: edgesWith("parsed", { condition: "memory.request.plan != null" }) }),
  publishWith({ nodes: nodesWith("parse", { approval: "always" }) }),
];

const path = fc.constantFrom(
  "topic",
  "mail",
  "request",
  "request.plan",
  "note",
  "note.0",
  "note.a.b",
  "salary",
  "is_admin",
  "verdict",
  "result",
  "nowhere",
  "__proto__",
  "_status",
  "$goal",
);
const value = fc.oneof(
  fc.constantFrom<unknown>(
    "free",
    "team",
    1,
    true,
    null,
    { plan: "free" },
    { plan: "team" },
    [1, 2],
    { text: "x" },
    Number.NaN,
    "\ud800",
    undefined,
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const action = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(path, value).map(([at, to]) => update(at, to)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      { type: "goto_node", node: "write" },
      { type: "set_status", status: "completed" },
      { type: "_clear" },
      null,
      7,
      { type: "request_human_input", prompt: "?" },
    ),
  },
);

type Step = (run: TestRun) => unknown;
const person = fc.constantFrom(user(REVIEWER), user(SECOND), user(STARTER), user(REVIEWER, "admin"), user(STARTER, "builder"));

const honest: Step = (run) => {
  const { currentNode, status } = run.state();
  if (status === "waiting" || currentNode === null) return;
  if (currentNode === "fetch") {
    run.work(intent("docs", "read", { topic: "plans" }, `c${run.state().version}`));
    if (Object.keys(run.state().effects).length > 0) settle(run, { text: "x" });
    run.work(result(update("mail", { text: "x" })));
  } else if (currentNode === "write") {
    run.work(intent("crm", "update", toMemory(run.state().cells)["request"] ?? {}, `c${run.state().version}`));
    if (run.state().status === "running" && Object.keys(run.state().effects).length > 1) settle(run, "done");
    run.work(result(update("result", "done")));
  } else if (currentNode === "ask") run.work(result({ type: "request_human_input", prompt: "" }));
  else run.work(result(...(currentNode === "parse" ? [update("request", { plan: "team" })] : [])));
};

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(honest) },
  {
    weight: 3,
    arbitrary: fc.array(action, { maxLength: 3 }).map(
      (actions): Step =>
        (run) =>
          run.work(result(...actions)),
    ),
  },
  {
    weight: 2,
    arbitrary: action.map(
      (one): Step =>
        (run) =>
          run.work({ kind: "action", action: one }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(["docs", "read"], ["crm", "update"], ["crm", "erase"]),
        fc.constantFrom<unknown>({ topic: "plans" }, { plan: "team" }, { plan: "free" }, 1),
        fc.constantFrom("a", "b"),
      )
      .map(
        ([[server = "", tool = ""], args, id]): Step =>
          (run) =>
            run.work(intent(server, tool, args, id)),
      ),
  },
  {
    weight: 2,
    arbitrary: value.map(
      (answer): Step =>
        (run) =>
          Object.keys(run.state().effects).length > 0 && settle(run, answer as never),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(person, fc.constantFrom("approve" as const, "approve" as const, "reject" as const)).map(
      ([by, choice]): Step =>
        (run) =>
          run.state().status === "waiting" && decideAs(run, by, choice),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(10, 5_000, 90_000_000).map(
      (ms): Step =>
        (run) =>
          run.pass(ms),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>(
      (run) => run.state().status === "waiting" && run.propose(engine, { kind: "expire", approval_id: openGate(run).gate.id }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom("tool_error", "node_timeout"), fc.boolean()).map(
      ([code, retryable]): Step =>
        (run) =>
          run.work({ kind: "node_failure", code, retryable, detail: "", jitter: 0.5, retry_after_ms: null }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("write", "decline", "ask").map(
      (node): Step =>
        (run) =>
          run.propose(executor(node), { kind: "node_result", activation: run.state().activation ?? 0, actions: [] }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>((run) => {
      const work = plan(run.published, run.state(), run.now(), 1);
      if (work.type === "propose") run.propose(engine, work.body);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>((run) =>
      run.propose(
        { type: "engine", epoch: 2 },
        { kind: "recover", effect_id: Object.keys(run.state().effects).at(-1) ?? uuid(9) },
        { epoch: 2 },
      ),
    ),
  },
);

const eventsOf = (run: TestRun) => run.records().flatMap(({ record }) => record.control.map((event) => ({ event, record })));

const checkRoute = (run: TestRun) => {
  const { graph } = run.published;
  let at: string | null = null;
  for (const { event } of eventsOf(run)) {
    if (event.type !== "node_entered") continue;
    const from = graph.nodes.find((node) => node.id === at);
    const rejection = from?.kind === "approval" ? from.config.rejection_node : undefined;
    const drawn = graph.edges.some((edge) => edge.id === event.edge && edge.source === at && edge.target === event.node);
    expect(drawn || (event.edge === null && (at === null ? event.node === graph.start_node : event.node === rejection))).toBe(true);
    at = event.node;
  }
};

const checkCells = (run: TestRun) => {
  const declared = new Map(run.published.graph.memory.map((key) => [key.key, key]));
  for (const { record } of run.records()) {
    const memory = record.writes.filter((write) => !write.path.startsWith("$"));
    if (record.kind === "refusal") expect(record.writes.map((write) => write.path)).toEqual(["$attempt"]);
    for (const { path: at } of memory) {
      const key = declared.get(parsePath(at)?.[0] ?? "");
      expect(key).toBeDefined();
      const approved = record.control.some(
        (event) => event.type === "gate_resolved" && event.outcome === "approved" && event.receipt !== null,
      );
      expect(!key?.protected || approved).toBe(true);
    }
  }
};

const checkReceipts = (run: TestRun) => {
  const used = eventsOf(run).flatMap(({ event }) => (event.type === "effect_intended" && event.approval_id !== null ? [event] : []));
  for (const { approval_id: id, effect, effect_id: effectId } of used) {
    const gate = run.state().gates[id ?? ""];
    const again = gate?.gate.reason === "unclear_effect";
    expect(gate?.status).toBe("approved");
    expect(gate?.gate.transition.effect).toEqual(effect);
    expect(again || gate?.usedBy === effectId).toBe(true);
    expect(gate?.decisions.some((made) => made.user === STARTER)).toBe(false);
  }
  const changing = eventsOf(run).flatMap(({ event }) =>
    event.type === "effect_intended" && event.effect_class === "write" ? [event] : [],
  );
  for (const event of changing) expect(event.approval_id).not.toBeNull();
};

const check = (run: TestRun) => {
  const state = run.state();
  expect(state.version).toBe(run.records().length);
  expect(state.refusals).toBe(run.records().filter(({ record }) => record.kind === "refusal").length);
  expect(state.iterationCount).toBeLessThanOrEqual(run.published.graph.max_iterations);
  expect(isTerminal(state.status)).toBe(state.currentNode === null && state.version > 1);
  expect(Object.values(state.gates).filter((gate) => gate.status === "open")).toHaveLength(state.status === "waiting" ? 1 : 0);
  checkRoute(run);
  checkCells(run);
  checkReceipts(run);
  // Replay restores the live state byte for byte.
  const { workspace, run: id, graphHash, policyHash } = state;
  const replayed = run.records().reduce(
    (next, signed, index) => {
      const values = JSON.parse(toCanonicalJson(run.values()[index] ?? [])) as never;

      return applyRecord(next, JSON.parse(toCanonicalJson(signed)), values);
    },
    createRunState(workspace, id, graphHash, policyHash),
  );
  expect(toCanonicalJson(replayed as never)).toBe(toCanonicalJson(state as never));
};

describe("a run", () => {
  test("keeps its invariants under any proposals", () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(fc.nat(GRAPHS.length - 1), fc.array(step, { maxLength: 40 }), (index, steps) => {
        const published = GRAPHS[index] ?? publishWith();
        const run = newRun(published);
        run.propose(user(STARTER, "builder"), startBody(published));
        run.propose(engine, { kind: "begin" });
        for (const one of steps) {
          const before = run.state();
          const verdict = one(run) as Verdict | undefined | boolean;
          const refused = typeof verdict === "object" && !verdict.ok;
          expect(!refused || run.state().cells === before.cells).toBe(true);
        }
        check(run);
        for (const { event } of eventsOf(run)) reached.add(event.type);
        reached.add(run.state().status);
      }),
      { numRuns: 300 },
    );
    for (const name of ["completed", "failed", "waiting", "gate_resolved", "effect_settled", "attempt_failed"])
      expect(reached).toContain(name);
  });
});
