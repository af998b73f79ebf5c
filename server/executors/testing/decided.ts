import { buildExecutorInput, buildShownAnswer } from "@/lib/engine/executor-input";
import { USAGE } from "@/lib/engine/testing/work";
import { getCode, result, started, type TestRun } from "@/lib/engine/testing/run";
import { callKey } from "@/lib/engine/thread-of";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import { describeRefusal, type Refusal } from "@/lib/refusal";
import type { ExecutorInput, Gateways, Refused } from "@/server/executors/contract";
import { getExecutor } from "@/server/executors/registry";
import type { Cast } from "@/server/executors/testing/stage";

const refused = (refusal: Refusal): Refused => ({
  status: "refused",
  code: refusal.code,
  message: describeRefusal(refusal),
  legal: refusal.legal,
});

const inputOf = (run: TestRun, node: GraphNode): ExecutorInput => ({
  ...buildExecutorInput(run.published, run.state(), node, run.state().activation ?? 0),
  seed: "5eed",
});

const gatewaysOf = (run: TestRun, node: GraphNode, cast: Cast): Gateways => ({
  models: {
    generate: async (request) => {
      const { task, step, fresh } = request;
      const reserved = run.work({ kind: "model_intent", task, tokens: 10, cost_micro_usd: 10 });
      if (!reserved.ok) return refused(reserved.refusal);
      const reservation = reserved.events.find((event) => event.type === "budget_reserved")?.reservation_id;
      const line = await (cast.model?.(request) ?? "");
      const { text = "", calls = [] } = typeof line === "string" ? { text: line } : line;
      const said = { step, fresh, text, tool_calls: calls, usage: USAGE };
      const recorded = run.work({ kind: "model_call", task, reservation_id: reservation, ...said });

      return recorded.ok ? { status: "ok", text, tool_calls: calls } : refused(recorded.refusal);
    },
  },
  tools: {
    call: async (request) => {
      const { task, call_id, ...called } = request;
      const key = callKey(run.state(), task, call_id);
      const intended = run.work({ kind: "effect_intent", task, call_id: key, ...called, availability: "ok" });
      if (!intended.ok) return refused(intended.refusal);
      const answer = cast.tool?.(request) ?? { status: "ok", result: {} };
      if (answer.status === "refused") return answer;
      const effect = Object.values(run.state().effects).find((one) => one.call_id === key);
      run.work({ kind: "effect_outcome", effect_id: effect?.effect_id, outcome: answer.status, result: answer.result });
      const shown = effect ? buildShownAnswer(run.published, run.state(), node, { task: task ?? "", effect, result: answer.result }) : null;

      return { status: answer.status, result: null, ...shown };
    },
  },
  actions: {
    propose: async (action) => {
      const verdict = run.work({ kind: "action", action });

      return verdict.ok ? { status: "ok" } : refused(verdict.refusal);
    },
  },
  verdicts: { given: () => Promise.resolve({ status: "ok" as const }) },
  tasks: {
    failed: async (task, code, detail) => {
      run.work({ kind: "task_failure", task, code, detail });
    },
  },
});

/** Works on the current node. @returns the code of the verdict or failure */
export const workOnNode = async (run: TestRun, cast: Cast): Promise<string> => {
  const node = run.published.graph.nodes.find(({ id }) => id === run.state().currentNode);
  if (!node) throw new Error("the run is at no node");
  const outcome = await getExecutor(node.kind)(inputOf(run, node), gatewaysOf(run, node, cast), new AbortController().signal);

  return outcome.type === "failure" ? outcome.code : getCode(run.work(result(...outcome.actions)));
};

/** Starts a version and works on its first node. */
export const decided = async (published: PublishedGraph, inputs: Json, cast: Cast) => {
  const run = started(published, inputs);
  const code = await workOnNode(run, cast);
  const refusals = run.records().flatMap(({ record }) => (record.refusal ? [record.refusal.code] : []));

  return { run, code, refusals };
};
