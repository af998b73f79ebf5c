/** Parallel tasks, whose failures need not be the node's. */
import { runAgentTask, type AgentTask, type TaskEnd, type Work } from "@/server/executors/agent-task";
import type { ExecutorInput, Gateways } from "@/server/executors/contract";
import { createFailure, type Failure } from "@/server/executors/written";
import { ModelError } from "@/server/models/contract";

/** A budget too small for one task is too small for all. */
const SPENT: readonly string[] = ["token_budget", "cost_budget", "node_budget"];

export const isSpent = (end: { readonly type: string; readonly code?: string }): boolean =>
  end.type === "failure" && SPENT.includes(end.code ?? "");

export type PartFailure = Failure & { readonly retryAfterMs?: number | null };

/** Converts a model error to a task failure; rethrows others. */
export const toModelFailure = (error: unknown): PartFailure => {
  if (!(error instanceof ModelError)) throw error;

  return { ...createFailure(error.code, error.retryable, error.message), retryAfterMs: error.retryAfterMs };
};

export const recordFailure = async (task: string, failed: Failure, gateways: Gateways): Promise<void> => {
  // A refused budget is already in the ledger, and a later attempt may have more.
  if (!isSpent(failed)) await gateways.tasks.failed(task, failed.code, failed.detail.slice(0, 10_000));
};

export const findKnownFailure = (task: string, input: ExecutorInput): Failure | null => {
  const code = input.failedTasks[task];

  return code === undefined ? null : createFailure(code, false, "The task has failed before.");
};

/** Like `runAgentTask`, but records failures. */
export const runPartTask = async (ask: AgentTask, work: Work): Promise<TaskEnd> => {
  const known = findKnownFailure(ask.task, work.input);
  if (known) return known;
  const end = await runAgentTask(ask, work).catch(toModelFailure);
  if (end.type === "failure") await recordFailure(ask.task, end, work.gateways);

  return end;
};
