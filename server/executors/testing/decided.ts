/** A node at work under the real rules: every request of its executor is decided, recorded and folded, without a database. */
import { taskTools, grantedTools } from "@/lib/engine/decide/effect";
import { USAGE } from "@/lib/engine/testing/work";
import { codeOf, result, started, type TestRun } from "@/lib/engine/testing/run";
import { callKey, threadsOf } from "@/lib/engine/thread-of";
import { agentOf, effectiveGrants, taskGrants, viewOf } from "@/lib/engine/view";
import type { Agent, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { agentIdsOf } from "@/lib/graph/refs";
import type { Json } from "@/lib/json";
import { refusalMessage, type Refusal } from "@/lib/refusal";
import type { ExecutorInput, Gateways, Refused } from "@/server/executors/contract";
import { EXECUTORS } from "@/server/executors/registry";
import type { Cast } from "@/server/executors/testing/stage";

const refused = (refusal: Refusal): Refused => ({
  status: "refused",
  code: refusal.code,
  message: refusalMessage(refusal),
  legal: refusal.legal,
});

const inputOf = (run: TestRun, node: GraphNode): ExecutorInput => {
  const { published } = run;
  const state = run.state();
  const partyOf = (acting: GraphNode, agent: Agent | null) => {
    const task = { id: "", acting, agent, item: null, judges: false, alone: false };

    return { tools: taskTools(published, task), view: viewOf(published.graph, state, taskGrants(task).read).value };
  };
  const worker = node.kind === "map" ? published.graph.nodes.find(({ id }) => id === node.config.worker_node) : undefined;
  const workerAgent = worker ? agentOf(published, worker) : null;

  return {
    workspace: state.workspace,
    run: state.run,
    node,
    activation: state.activation ?? 0,
    goal: "",
    constraints: [],
    counters: { iteration_count: 0, retry_count: 0 },
    view: viewOf(published.graph, state, effectiveGrants(published, node).read).value,
    agent: agentOf(published, node),
    tools: grantedTools(published, node),
    agents: agentIdsOf(node).flatMap((id) =>
      published.agents.filter((agent) => agent.id === id).map((agent) => ({ agent, ...partyOf(node, agent) })),
    ),
    worker: worker ? { node: worker, agent: workerAgent, ...partyOf(worker, workerAgent) } : null,
    threads: threadsOf(state),
    failedTasks: state.failedTasks,
    asked: [],
    recalled: [],
    seed: "5eed",
  };
};

const gatewaysOf = (run: TestRun, cast: Cast): Gateways => ({
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

      return answer;
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

/** Starts the version, works on its first node, and proposes what came of it. @returns `code`: of the verdict, or of the failure */
export const decided = async (published: PublishedGraph, inputs: Json, cast: Cast) => {
  const run = started(published, inputs);
  const [node] = published.graph.nodes;
  if (!node) throw new Error("the version has no node");
  const outcome = await EXECUTORS[node.kind](inputOf(run, node), gatewaysOf(run, cast), new AbortController().signal);
  const code = outcome.type === "failure" ? outcome.code : codeOf(run.work(result(...outcome.actions)));
  const refusals = run.records().flatMap(({ record }) => (record.refusal ? [record.refusal.code] : []));

  return { run, code, refusals };
};
