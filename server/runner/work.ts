import { getPublishedHere } from "@/lib/engine/frame";
import { computeLeftMs, limitReached } from "@/lib/engine/limits";
import { findAside } from "@/lib/engine/state";
import { buildExecutorInput } from "@/lib/engine/executor-input";
import { findAgent } from "@/lib/engine/view";
import type { GraphNode } from "@/lib/graph/document";
import type { BodyOf } from "@/lib/engine/proposal";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { getKind } from "@/lib/graph/kind-of";
import { digestOf } from "@/lib/hash";
import { describeErrorFrames } from "@/server/error-frames";
import { LeaseLost } from "@/server/runner/commit";
import type { RunnerDeps } from "@/server/runner/deps";
import { createGateways } from "@/server/runner/gateways";
import type { Session, Submission } from "@/server/runner/session";
import { findRecallFacts } from "@/server/runner/recall";
import {
  Suspended,
  WorkerLost,
  type ExecutorInput,
  type ExecutorOutcome,
  type NodeWork,
  type QuietExecutor,
  type QuietInput,
} from "@/server/executors/contract";
import { ModelError } from "@/server/models/contract";
import { JournalFailed } from "@/server/security/journal/writer";
import { isConnectionError } from "@/server/store/connection-errors";
import { log } from "@/server/log";
import { runInSpan } from "@/server/trace";

const buildInput = (session: Session, node: GraphNode, activation: number): QuietInput => {
  const state = session.state();

  return buildExecutorInput(getPublishedHere(session.root, state), state, node, activation);
};

/** Recalled facts become a cell before the node sees them. */
const recall = async (deps: RunnerDeps, session: Session, node: GraphNode, activation: number): Promise<void> => {
  const wanted = getKind(node).facts(node.config).recalled;
  const { workspace, run } = session.state();
  if (!wanted || findAside(session.state(), `$recall.${activation}`).length > 0) return;
  const facts = await findRecallFacts(deps.vault, await deps.authority.read(workspace), { workspaceId: workspace, runId: run, ...wanted });
  await session.submit({ principal: { type: "engine", epoch: session.epoch }, body: { kind: "recall", activation, facts } });
};

type Failure = Extract<ExecutorOutcome, { type: "failure" }> & { readonly retryAfterMs: number | null };
type Outcome = Extract<ExecutorOutcome, { type: "result" }> | Failure;

const outcomeOf = (outcome: ExecutorOutcome): Outcome => (outcome.type === "failure" ? { ...outcome, retryAfterMs: null } : outcome);

/** Our own faults appear in the ledger without details. */
const failureOf = (error: unknown, timedOut: boolean): Failure => {
  if (timedOut)
    return { type: "failure", code: "node_timeout", retryable: false, detail: "The node took longer than it may.", retryAfterMs: null };
  if (error instanceof ModelError) {
    return { type: "failure", code: error.code, retryable: error.retryable, detail: error.message, retryAfterMs: error.retryAfterMs };
  }
  if (error instanceof WorkerLost) {
    return { type: "failure", code: "worker_lost", retryable: true, detail: "The worker process ended.", retryAfterMs: null };
  }
  log().error({ error: describeErrorFrames(error) }, "an executor failed");

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

/** An unresponsive executor cannot hold the run. @throws Suspended on abort */
const unlessAborted = async <T>(running: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new Suspended());
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([running, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
};

/** Creating a reason is most of an abort's cost. */
const OVER = new DOMException("The attempt is over.", "AbortError");
const TIME_OUT = new DOMException("The attempt took longer than it may.", "TimeoutError");
const MAX_TIMER_MS = 2_147_483_647;

type Attempt = {
  readonly signal: AbortSignal;
  readonly isTimedOut: () => boolean;
  /** Makes further executor requests ineffective. */
  readonly end: () => void;
};

/** `AbortSignal.any` and `AbortSignal.timeout` take ten times as long. */
const beginAttempt = (timeoutMs: number, left: AbortSignal): Attempt => {
  const controller = new AbortController();
  const leave = () => controller.abort(left.reason);
  const timer = setTimeout(() => controller.abort(TIME_OUT), Math.min(Math.max(1, timeoutMs), MAX_TIMER_MS));
  if (left.aborted) leave();
  else left.addEventListener("abort", leave, { once: true });

  return {
    signal: controller.signal,
    isTimedOut: () => controller.signal.reason === TIME_OUT,
    end: () => {
      clearTimeout(timer);
      left.removeEventListener("abort", leave);
      controller.abort(OVER);
    },
  };
};

const principalOf = (session: Session, node: GraphNode) =>
  ({
    type: "executor",
    node: node.id,
    agent: findAgent(getPublishedHere(session.root, session.state()), node)?.id ?? null,
    epoch: session.epoch,
  }) as const;

const report = async (
  session: Session,
  node: GraphNode,
  activation: number,
  outcome: Outcome,
  submit: (submission: Submission) => Promise<Verdict>,
): Promise<void> => {
  const principal = principalOf(session, node);
  const fail = (failure: Failure) => session.submit({ principal, body: failureBody(activation, failure, Math.random()) });
  if (outcome.type === "failure") {
    await fail(outcome);

    return;
  }
  const verdict = await submit({ principal, body: { kind: "node_result", activation, actions: [...outcome.actions] } });
  if (!verdict.ok && session.state().currentNode === node.id && session.state().status !== "waiting") {
    await fail({ type: "failure", code: verdict.refusal.code, retryable: true, detail: "", retryAfterMs: null });
  }
};

const placeOf = (node: GraphNode) => ({ "countersign.node": node.id, "countersign.node.kind": node.kind });

const quietOutcome = (session: Session, node: GraphNode, activation: number, executor: QuietExecutor): Outcome => {
  try {
    return outcomeOf(executor(() => buildInput(session, node, activation)));
  } catch (error) {
    return failureOf(error, false);
  }
};

export const executeQuietly = (session: Session, node: GraphNode, activation: number, executor: QuietExecutor): Promise<void> =>
  runInSpan(`execute_node ${node.kind}`, placeOf(node), () =>
    report(session, node, activation, quietOutcome(session, node, activation, executor), (submission) => session.submitAhead(submission)),
  );

type Kind = NodeWork["kind"];

const attemptNode = async (deps: RunnerDeps, session: Session, node: GraphNode, activation: number, kind: Kind): Promise<void> => {
  const timeoutMs = Math.min(node.failure_policy.timeout_ms, computeLeftMs(session.state(), deps.clock.now()));
  const attempt = beginAttempt(timeoutMs, session.left(activation));
  const { signal } = attempt;
  const gateways = createGateways(deps, session, { node, activation, signal });
  const submit = async (submission: Submission): Promise<Verdict> => (await session.submit(submission)).verdict;
  try {
    await recall(deps, session, node, activation);
    const seed = digestOf("seed", { run: session.state().run, activation });
    const input: ExecutorInput = structuredClone({ ...buildInput(session, node, activation), seed });
    const outcome = await unlessAborted(deps.execute({ kind, input }, gateways, signal), signal);
    await report(session, node, activation, outcomeOf(outcome), submit);
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    if (session.ended.aborted) return;
    const overTime = attempt.isTimedOut() && limitReached(session.state(), deps.clock.now()) === null;
    if (error instanceof Suspended && !overTime) return;
    // Not the node's fault: the run resumes later.
    if (isConnectionError(error) || error instanceof JournalFailed) throw error;
    await report(session, node, activation, failureOf(error, overTime), submit);
  } finally {
    attempt.end();
  }
};

/** Runs the node once, until its outcome is recorded or the run rests. @throws LeaseLost */
export const executeNode = (deps: RunnerDeps, session: Session, node: GraphNode, activation: number, kind: Kind): Promise<void> => {
  const agent = findAgent(getPublishedHere(session.root, session.state()), node);
  const attempt = () => attemptNode(deps, session, node, activation, kind);
  if (!agent) return runInSpan(`execute_node ${node.kind}`, placeOf(node), attempt);
  const invoked = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.id": agent.id, "gen_ai.agent.name": agent.name };

  return runInSpan(`invoke_agent ${agent.name}`, { ...placeOf(node), ...invoked }, attempt);
};
