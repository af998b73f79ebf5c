/** One attempt at one node: builds what its executor may see, runs it within its limits, and proposes what it answers. */
import { publishedHere } from "@/lib/engine/frame";
import { leftMs, limitReached } from "@/lib/engine/limits";
import { asideAt } from "@/lib/engine/state";
import { givenTo } from "@/lib/engine/given";
import { agentOf } from "@/lib/engine/view";
import type { GraphNode } from "@/lib/graph/document";
import type { BodyOf } from "@/lib/engine/proposal";
import { LeaseLost } from "@/server/runner/commit";
import type { RunnerDeps } from "@/server/runner/deps";
import { createGateways } from "@/server/runner/gateways";
import type { Session } from "@/server/runner/session";
import { recallFacts } from "@/server/runner/recall";
import { Suspended, type Executor, type ExecutorInput, type ExecutorOutcome } from "@/server/executors/contract";
import { ModelError } from "@/server/models/contract";
import { log } from "@/server/log";

const inputFor = (session: Session, node: GraphNode, activation: number): ExecutorInput => {
  const state = session.state();

  return structuredClone(givenTo(publishedHere(session.root, state), state, node, activation));
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
