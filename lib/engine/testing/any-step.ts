import * as fc from "fast-check";
import { findNextUndo, findOpenWait, heldBy } from "@/lib/engine/state";
import { getPublishedHere } from "@/lib/engine/frame";
import { playStep } from "@/lib/engine/testing/play";
import {
  decideAs,
  executor,
  intent,
  openGate,
  result,
  REVIEWER,
  SECOND,
  settle,
  STARTER,
  update,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";
import { ask, createFailure, reserve } from "@/lib/engine/testing/work";
import type { ProposalBody } from "@/lib/engine/proposal";

import { IDS, KEYS } from "@/lib/engine/testing/any-graph";
import { computeWaitTokenHash } from "@/lib/engine/decide/wait";
import { asksPerson, callsTool, runsGraph, waits } from "@/lib/graph/kind-of";

export type Step = (run: TestRun) => unknown;

const isHeld = (run: TestRun): boolean => Object.values(run.state().gates).some(({ status }) => status === "open");

const TASKS = [
  "",
  "item.0",
  "item.1",
  "item.0.1",
  "voter.0",
  "voter.1",
  "judge",
  "try.0",
  "score.0",
  "candidate.0.0",
  "score.0.0",
  "synthesizer",
] as const;
const id = fc.constantFrom<string>(...IDS);

const value = fc.constantFrom<unknown>(
  "a",
  "b",
  1,
  true,
  null,
  [],
  ["one", "two"],
  [1, { a: 1 }],
  { text: "x" },
  { constructor: 1 },
  Number.NaN,
  "\ud800",
);
const path = fc.constantFrom(...KEYS, "out.a", "items.0", "_x", "$fact.t", "@0/out", "__proto__");
const action = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(path, value).map(([at, to]): unknown => update(at, to)) },
  { weight: 2, arbitrary: id.map((to): unknown => ({ type: "goto_node", node: to, reason: "so" })) },
  { weight: 1, arbitrary: id.map((to): unknown => ({ type: "handoff", node: to })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      { type: "request_human_input", prompt: "?" },
      { type: "set_status", status: "completed" },
      { type: "_x" },
      null,
    ),
  },
);

const honest: Step = (run) => {
  const { currentNode, activation } = run.state();
  const here = getPublishedHere(run.published, run.state()).graph.nodes.find((one) => one.id === currentNode);
  if (!here) return;
  if (callsTool(here)) {
    const answered = Object.values(run.state().effects).some((effect) => effect.activation === activation && effect.outcome !== null);
    if (answered) {
      run.work(result(update(here.config.write_to ?? "out", "x")));

      return;
    }
    const args = here.config.tool === "read" ? { topic: "plans" } : { what: "plans", by: here.id };
    run.work(intent(here.config.server, here.config.tool, args, `c${run.state().version}`));
    if (Object.values(run.state().effects).at(-1)?.outcome === null) settle(run, "x");
  } else if (waits(here)) run.work(result({ type: "wait", until: null }));
  else if (asksPerson(here)) run.work(result({ type: "request_human_input", prompt: "" }));
  else if (here.kind === "supervisor") run.work(result({ type: "goto_node", node: here.config.managed_nodes[0] ?? "" }));
  else if (here.write_keys[0] === undefined || runsGraph(here) || here.kind === "router") run.work(result());
  else run.work(result(update(here.write_keys[0], here.kind === "reflection" ? ["fact"] : "a")));
};

const engineStep =
  (epoch: number): Step =>
  (run) =>
    playStep(
      run,
      // Asked again, though the call is under way.
      { undo: (effectId) => run.propose({ type: "engine", epoch }, { kind: "undo", effect_id: effectId, availability: "ok" }, { epoch }) },
      epoch,
    );

const doorStep: Step = (run) => {
  const state = run.state();
  const open = Object.values(state.gates).find(({ status }) => status === "open");
  const held = heldBy(state);
  if (open) return run.propose({ type: "engine", epoch: 1 }, { kind: "void", approval_id: open.gate.id, availability: "drifted" });

  return held && run.propose({ type: "engine", epoch: 1 }, { kind: "ask_again", approval_id: held.gate.id });
};

const waitOut: Step = (run) => {
  if (findOpenWait(run.state())) run.pass(60_000);
};

const hostile: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom<Record<string, unknown> & { kind: string }>(
      { kind: "ascend" },
      { kind: "unwound" },
      { kind: "retry" },
      { kind: "begin" },
      { kind: "stop", limit: "iteration_limit" },
      { kind: "stop", limit: "subgraph_time_limit" },
      { kind: "cancel" },
      { kind: "take_wait_token", token_hash: computeWaitTokenHash("x") },
      { kind: "answer_wait", token: "x", value: "a" },
      { kind: "forfeit", reservation_id: uuid(5) },
      { kind: "recall", activation: 2, facts: [] },
      { kind: "node_result", activation: 0, actions: [] },
      { kind: "task_failure", activation: 3, task: "voter.0", code: "x", detail: "" },
    ),
    fc.constantFrom("engine", "executor", "user"),
  )
  .map(([body, who]): Step => (run) => {
    const undo = findNextUndo(run.state());
    const principal =
      who === "engine"
        ? ({ type: "engine", epoch: 1 } as const)
        : who === "user"
          ? user(SECOND)
          : executor(run.state().currentNode ?? undo?.node ?? "n0");

    return run.propose(principal, body as unknown as ProposalBody);
  });

/** Few nodes have other tasks. */
const task = fc.oneof({ weight: 1, arbitrary: fc.constant("") }, { weight: 2, arbitrary: fc.constantFrom(...TASKS) });
const failing = fc.constantFrom<[string, boolean]>(["tool_error", true], ["tool_error", false], ["node_timeout", false]);

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 14, arbitrary: fc.constant(honest) },
  { weight: 10, arbitrary: fc.constant(engineStep(1)) },
  { weight: 1, arbitrary: fc.constant(engineStep(2)) },
  { weight: 1, arbitrary: fc.constant(doorStep) },
  { weight: 4, arbitrary: fc.constant(waitOut) },
  {
    weight: 4,
    arbitrary: fc.array(action, { maxLength: 2 }).map(
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
    weight: 3,
    arbitrary: task.map(
      (name): Step =>
        (run) =>
          ask(run, name),
    ),
  },
  {
    weight: 1,
    arbitrary: task.map(
      (name): Step =>
        (run) =>
          reserve(run, name, 50),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(task, fc.constantFrom("read", "send", "write", "erase"), fc.nat(2)).map(([name, tool, call]): Step => (run) => {
      const server = tool === "read" ? "docs" : tool === "send" ? "web" : "crm";

      return run.work({ ...intent(server, tool, { what: "x" }, `h${call}`), task: name });
    }),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(value, fc.constantFrom("ok" as const, "ok" as const, "tool_error" as const)).map(
      ([said, outcome]): Step =>
        (run) =>
          Object.keys(run.state().effects).length > 0 && settle(run, said as never, outcome),
    ),
  },
  {
    weight: 8,
    arbitrary: fc.constantFrom(user(REVIEWER), user(REVIEWER, "reviewer", true), user(STARTER)).chain((by) =>
      fc.constantFrom("approve" as const, "approve" as const, "reject" as const).map(
        (choice): Step =>
          (run) =>
            isHeld(run) && decideAs(run, by, choice),
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(10, 130_000, 90_000_000).map(
      (ms): Step =>
        (run) =>
          run.pass(ms),
    ),
  },
  {
    weight: 1,
    arbitrary: failing.map(
      ([code, retryable]): Step =>
        (run) =>
          run.work(createFailure(code, { retryable })),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>(
      (run) => isHeld(run) && run.propose({ type: "engine", epoch: 1 }, { kind: "void", approval_id: openGate(run).gate.id }),
    ),
  },
  {
    weight: 2,
    arbitrary: task.map(
      (name): Step =>
        (run) =>
          run.work({ kind: "task_failure", task: name, code: "x", detail: "" }),
    ),
  },
  { weight: 2, arbitrary: hostile },
);
