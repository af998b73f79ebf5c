/** One attempt at one node: builds what its executor may see, runs it within its limits, and proposes what it answers. */
import { publishedHere } from "@/lib/engine/frame";
import { leftMs, limitReached } from "@/lib/engine/limits";
import { asideAt, knownValue, type RunState } from "@/lib/engine/state";
import { grantedTools, taskTools } from "@/lib/engine/decide/effect";
import { askedIn } from "@/lib/engine/asked";
import { threadsOf } from "@/lib/engine/thread-of";
import { agentOf, effectiveGrants, taskGrants, viewOf } from "@/lib/engine/view";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { agentIdsOf } from "@/lib/graph/refs";
import { digestOf } from "@/lib/hash";
import { isJsonObject } from "@/lib/json";
import type { BodyOf } from "@/lib/engine/proposal";
import { LeaseLost } from "@/server/runner/commit";
import type { RunnerDeps } from "@/server/runner/deps";
import { createGateways } from "@/server/runner/gateways";
import type { Session } from "@/server/runner/session";
import { recallFacts } from "@/server/runner/recall";
import { Suspended, type Executor, type ExecutorInput, type ExecutorOutcome } from "@/server/executors/contract";
import { ModelError } from "@/server/models/contract";
import { log } from "@/server/log";

const textOf = (state: RunState, path: string): string => {
  const value = knownValue(asideAt(state, path).at(-1));

  return typeof value === "string" ? value : "";
};

const constraintsOf = (state: RunState): string[] => {
  const value = knownValue(asideAt(state, "$constraints").at(-1));

  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
};

/** Whoever speaks in a node's name: an agent with what it may read and call there. */
const partyOf = (published: PublishedGraph, state: RunState, acting: GraphNode, agent: ExecutorInput["agent"]) => {
  const party = { id: "", acting, agent, item: null, judges: false, alone: false };

  return { tools: taskTools(published, party), view: viewOf(published.graph, state, taskGrants(party).read).value };
};

const workerOf = (published: PublishedGraph, state: RunState, node: GraphNode): ExecutorInput["worker"] => {
  const worker = node.kind === "map" ? published.graph.nodes.find((candidate) => candidate.id === node.config.worker_node) : undefined;
  if (!worker) return null;
  const agent = agentOf(published, worker);

  return { node: worker, agent, ...partyOf(published, state, worker, agent) };
};

const recalledIn = (state: RunState, activation: number): ExecutorInput["recalled"] => {
  const facts = knownValue(asideAt(state, `$recall.${activation}`).at(-1));
  if (!Array.isArray(facts)) return [];

  return facts.flatMap((fact) => {
    const { topic, text } = isJsonObject(fact) ? fact : {};

    return typeof topic === "string" && typeof text === "string" ? [{ topic, text }] : [];
  });
};

const inputFor = (session: Session, node: GraphNode, activation: number): ExecutorInput => {
  const state = session.state();
  const published = publishedHere(session.root, state);
  const agents = agentIdsOf(node).flatMap((id) => published.agents.filter((agent) => agent.id === id));

  return structuredClone({
    workspace: state.workspace,
    run: state.run,
    node,
    activation,
    goal: textOf(state, "$goal"),
    constraints: constraintsOf(state),
    counters: { iteration_count: state.iterationCount, retry_count: state.retryCount },
    view: viewOf(published.graph, state, effectiveGrants(published, node).read).value,
    agent: agentOf(published, node),
    tools: grantedTools(published, node),
    agents: agents.map((agent) => ({ agent, ...partyOf(published, state, node, agent) })),
    worker: workerOf(published, state, node),
    threads: threadsOf(state),
    failedTasks: state.failedTasks,
    asked: askedIn(published, state, node),
    recalled: recalledIn(state, activation),
    seed: digestOf("seed", { run: state.run, activation }),
  });
};

/** What earlier runs left under the node's topics becomes a cell of this run before the node sees it. */
const recall = async (deps: RunnerDeps, session: Session, node: GraphNode, activation: number): Promise<void> => {
  const wanted = node.kind === "agent" ? node.config.recall : undefined;
  const { workspace, run } = session.state();
  if (!wanted || asideAt(session.state(), `$recall.${activation}`).length > 0) return;
  const facts = await recallFacts(deps.vault, { workspaceId: workspace, runId: run, ...wanted });
  await session.submit({ principal: { type: "engine", epoch: session.epoch }, body: { kind: "recall", activation, facts } });
};

type Failure = Extract<ExecutorOutcome, { type: "failure" }> & { readonly retryAfterMs: number | null };

/** Faults of our own code say nothing in the ledger but that they happened; the log has the rest. */
const failureOf = (error: unknown, timedOut: boolean): Failure => {
  if (timedOut)
    return { type: "failure", code: "node_timeout", retryable: false, detail: "The node took longer than it may.", retryAfterMs: null };
  if (error instanceof ModelError) {
    return { type: "failure", code: error.code, retryable: error.retryable, detail: error.message, retryAfterMs: error.retryAfterMs };
  }
  log().error({ error: error instanceof Error ? error.stack : String(error) }, "an executor failed");

  return { type: "failure", code: "executor_failed", retryable: true, detail: "The executor failed.", retryAfterMs: null };
};

const failureBody = (activation: number, failure: Failure, jitter: number): BodyOf<"node_failure"> => ({
  kind: "node_failure",
  activation,
  code: failure.code,
  retryable: failure.retryable,
  detail: failure.detail.slice(0, 10_000),
  jitter,
  retry_after_ms: failure.retryAfterMs,
});

/** Resolves when the signal is aborted, so that an executor that does not listen cannot hold the run. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(new Suspended());
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

/**
 * Runs the node once. Returns when its outcome, or its failure, is recorded, or when the run waits or has ended.
 * @throws LeaseLost
 */
export const executeNode = async (
  deps: RunnerDeps,
  session: Session,
  node: GraphNode,
  activation: number,
  executor: Executor,
): Promise<void> => {
  const state = session.state();
  const timeout = AbortSignal.timeout(Math.max(1, Math.min(node.failure_policy.timeout_ms, leftMs(state, deps.clock.now()))));
  const over = new AbortController();
  const signal = AbortSignal.any([timeout, over.signal, session.ended, session.left(activation)]);
  const principal = {
    type: "executor",
    node: node.id,
    agent: agentOf(publishedHere(session.root, state), node)?.id ?? null,
    epoch: session.epoch,
  } as const;
  const gateways = createGateways(deps, session, { node, activation, signal });
  const fail = (failure: Failure) => session.submit({ principal, body: failureBody(activation, failure, Math.random()) });
  try {
    await recall(deps, session, node, activation);
    const running = executor(inputFor(session, node, activation), gateways, signal);
    const outcome = await Promise.race([running, aborted(signal)]);
    if (outcome.type === "failure") {
      await fail({ ...outcome, retryAfterMs: null });

      return;
    }
    const { verdict } = await session.submit({ principal, body: { kind: "node_result", activation, actions: [...outcome.actions] } });
    if (!verdict.ok && session.state().currentNode === node.id && session.state().status !== "waiting") {
      await fail({ type: "failure", code: verdict.refusal.code, retryable: true, detail: "", retryAfterMs: null });
    }
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    if (session.ended.aborted) return;
    const overTime = timeout.aborted && limitReached(session.state(), deps.clock.now()) === null;
    if (error instanceof Suspended && !overTime) return;
    await fail(failureOf(error, overTime));
  } finally {
    // Whatever the executor still asks for after this is not done.
    over.abort();
  }
};
