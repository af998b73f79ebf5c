import { buildExecutorInput, buildShownAnswer } from "@/lib/engine/executor-input";
import { isTerminal } from "@/lib/engine/event";
import { findNote } from "@/lib/engine/approvals/notes";
import { getPublishedHere } from "@/lib/engine/frame";
import { playAsync } from "@/lib/engine/testing/play";
import { getCode, decideAs, executor, result, REVIEWER, SECOND, settle, user, type TestRun } from "@/lib/engine/testing/run";
import { createFailure } from "@/lib/engine/testing/work";
import { callKey } from "@/lib/engine/thread-of";
import type { ToolCall } from "@/lib/engine/thread";
import { describeRefusal, type Refusal } from "@/lib/refusal";
import {
  Suspended,
  type ExecutorInput,
  type ExecutorOutcome,
  type Gateways,
  type ModelRequest,
  type Refused,
  type ToolAnswer,
  type ToolRequest,
} from "@/server/executors/contract";
import { getExecutor } from "@/server/executors/registry";
import { runVerification } from "@/server/executors/verification";
import { ModelError } from "@/server/models/contract";

export type Turn = {
  readonly tokens: number;
  readonly costMicroUsd: number;
  readonly said: { readonly text: string; readonly calls: readonly ToolCall[] } | null;
};

export type Backstage = {
  readonly model: (request: ModelRequest) => Turn | Promise<Turn>;
  readonly tool: (request: ToolRequest) => ToolAnswer | Promise<ToolAnswer>;
};

export type Cast = Backstage & {
  readonly undo: () => "ok" | "tool_error";
  readonly person: () => "approve" | "reject";
};

const MOST_STEPS = 5_000;
const SEED = "5eed";
/** Lets other tasks reach a gate meanwhile. */
const TICKS = 10;

const refused = (refusal: Refusal): Refused => ({
  status: "refused",
  code: refusal.code,
  message: describeRefusal(refusal),
  legal: refusal.legal,
});

const withNote = (refusal: Refusal, run: TestRun): Refused => {
  const note = findNote(run.state(), refusal);

  return { ...refused(refusal), ...(note === null ? {} : { by_person: { note } }) };
};

type Attempt = { readonly run: TestRun; readonly cast: Backstage; readonly activation: number; over: boolean };

const mayAsk = (attempt: Attempt): void => {
  const { status, activation } = attempt.run.state();
  if (attempt.over || activation !== attempt.activation || status === "waiting" || isTerminal(status)) throw new Suspended();
};

const asked = (attempt: Attempt, body: Parameters<TestRun["work"]>[0]) => {
  mayAsk(attempt);
  const verdict = attempt.run.work(body);
  mayAsk(attempt);

  return verdict;
};

const settled = (attempt: Attempt, body: Parameters<TestRun["work"]>[0]) => {
  const { status, activation } = attempt.run.state();
  if (attempt.over || activation !== attempt.activation || isTerminal(status)) throw new Suspended();

  return attempt.run.work(body);
};

const generate =
  (attempt: Attempt): Gateways["models"]["generate"] =>
  async (request) => {
    const { task, step, fresh } = request;
    const turn = await attempt.cast.model(request);
    const reserved = asked(attempt, { kind: "model_intent", task, tokens: turn.tokens, cost_micro_usd: turn.costMicroUsd });
    if (!reserved.ok) return refused(reserved.refusal);
    const reservation = reserved.events.find((event) => event.type === "budget_reserved")?.reservation_id;
    for (let wait = 0; wait < turn.tokens * TICKS; wait += 1) await Promise.resolve();
    if (!turn.said) {
      settled(attempt, { kind: "model_failure", task, reservation_id: reservation, billed: "maybe" });
      throw new ModelError("model_failed", true, "It failed.", { billed: "maybe" });
    }
    const { text, calls } = turn.said;
    const usage = {
      model: "m",
      input_tokens: turn.tokens,
      output_tokens: 0,
      cost_micro_usd: turn.costMicroUsd,
      price_source: "test",
    };
    const made = { step, fresh: [...fresh], text, tool_calls: [...calls], usage };
    const recorded = settled(attempt, { kind: "model_call", task, reservation_id: reservation, ...made });
    mayAsk(attempt);

    return recorded.ok ? { status: "ok", text, tool_calls: calls } : refused(recorded.refusal);
  };

const effectOf = (run: TestRun, activation: number, key: string) =>
  Object.values(run.state().effects).find((one) => one.activation === activation && one.call_id === key);

const callTool =
  (attempt: Attempt, input: ExecutorInput): Gateways["tools"]["call"] =>
  async (request) => {
    const { task, call_id: id, ...called } = request;
    const { run, activation } = attempt;
    mayAsk(attempt);
    const key = callKey(run.state(), task, id);
    if (!effectOf(run, activation, key)) {
      const intended = asked(attempt, { kind: "effect_intent", task, call_id: key, ...called, availability: "ok" });
      if (!intended.ok) return withNote(intended.refusal, run);
    }
    const effect = effectOf(run, activation, key);
    if (!effect) throw new Suspended();
    const answer = await attempt.cast.tool(request);
    if (answer.status === "refused") return answer;
    const { status, result: given } = answer;
    if (effect.outcome === null) {
      run.propose(executor(input.node.id), {
        kind: "effect_outcome",
        effect_id: effect.effect_id,
        outcome: status,
        result: given,
      });
      mayAsk(attempt);
    }
    const published = getPublishedHere(run.published, run.state());

    return { status, ...buildShownAnswer(published, run.state(), input.node, { task: task ?? "", effect, result: given }) };
  };

const gatewaysOf = (attempt: Attempt, input: ExecutorInput): Gateways => ({
  models: { generate: generate(attempt) },
  tools: { call: callTool(attempt, input) },
  actions: {
    propose: async (action) => {
      const verdict = asked(attempt, { kind: "action", action });

      return verdict.ok ? { status: "ok" } : refused(verdict.refusal);
    },
  },
  verdicts: {
    given: async (task) => {
      const verdict = asked(attempt, { kind: "verdict", task });

      return verdict.ok ? { status: "ok" } : refused(verdict.refusal);
    },
  },
  tasks: {
    failed: async (task, code, detail) => {
      settled(attempt, { kind: "task_failure", task, code, detail });
      mayAsk(attempt);
    },
  },
});

/** Works on the current node. @returns null when suspended */
export const playAttempt = async (run: TestRun, cast: Backstage, verifies = false): Promise<ExecutorOutcome | null> => {
  const state = run.state();
  const published = getPublishedHere(run.published, state);
  const node = published.graph.nodes.find(({ id }) => id === state.currentNode);
  if (!node || state.activation === null) throw new Error("the run is at no node");
  const attempt: Attempt = { run, cast, activation: state.activation, over: false };
  const input: ExecutorInput = { ...buildExecutorInput(published, state, node, state.activation), seed: SEED };
  const worker = verifies ? runVerification : getExecutor(node.kind);
  try {
    const outcome = await worker(input, gatewaysOf(attempt, input), new AbortController().signal);
    mayAsk(attempt);

    return outcome;
  } catch (error) {
    if (error instanceof ModelError) return { type: "failure", code: error.code, retryable: error.retryable, detail: error.message };
    if (error instanceof Suspended) return null;
    throw error;
  } finally {
    attempt.over = true;
  }
};

const work = async (run: TestRun, cast: Cast, verifies: boolean): Promise<void> => {
  const at = run.state().currentNode;
  const outcome = await playAttempt(run, cast, verifies);
  if (outcome?.type === "failure") run.work(createFailure(outcome.code, { retryable: outcome.retryable }));
  else if (outcome) {
    const code = getCode(run.work(result(...outcome.actions)));
    const { currentNode, status } = run.state();
    if (code !== "accepted" && currentNode === at && status === "running") run.work(createFailure(code, { retryable: true }));
  }
};

const wait = (run: TestRun, cast: Cast, until: number): null => {
  const isAsked = Object.values(run.state().gates).some(({ status }) => status === "open");
  const choice = cast.person();
  for (const person of isAsked ? [REVIEWER, SECOND] : []) {
    if (run.state().status === "waiting") decideAs(run, user(person), choice);
  }
  if (run.state().status === "waiting" || !isAsked) run.pass(Math.max(1, until - run.now()));

  return null;
};

/** Plays a started run to its end. */
export const playOut = (run: TestRun, cast: Cast): Promise<void> =>
  playAsync(
    run,
    {
      work: ({ type }) => work(run, cast, type === "verify"),
      wait: (until) => wait(run, cast, until),
      undo: () => settle(run, {}, cast.undo()),
    },
    MOST_STEPS,
  );
