import { setTimeout as timer } from "node:timers/promises";
import { computeBackoffMs } from "@/lib/engine/backoff";
import { buildToolArguments } from "@/lib/engine/tool-arguments";
import { callsTool, computes } from "@/lib/graph/kind-of";
import type { Json } from "@/lib/json";
import { runAgentTask, type Work } from "@/server/executors/agent-task";
import { answerValue, type Value } from "@/server/executors/answer-json";
import { createChance } from "@/server/executors/chance";
import type { ExecutorInput } from "@/server/executors/contract";
import { isSpent, findKnownFailure, toModelFailure, recordFailure, type PartFailure } from "@/server/executors/part";
import { callTool } from "@/server/executors/tool-call";
import { transformNode } from "@/server/executors/transform";
import { agentMissing, createFailure, WRONG_KIND } from "@/server/executors/written";

export type Worker = NonNullable<ExecutorInput["worker"]>;
export type Item = { readonly index: number; readonly total: number; readonly value: Json };
export type ItemEnd = Value | PartFailure;

const taskName = (index: number, attempt: number): string => (attempt === 0 ? `item.${index}` : `item.${index}.${attempt}`);

const askAgent = async (worker: Worker, item: Item, task: string, work: Work): Promise<ItemEnd> => {
  const { node, agent, tools, view } = worker;
  if (node.kind !== "agent") return WRONG_KIND;
  if (agent === null) return agentMissing;
  const { instructions, answer } = node.config;
  const data = { item: item.value, index: item.index, total: item.total };
  const end = await runAgentTask({ task, agent, tools, view, instructions: [instructions], data, answer, writes: [] }, work);

  return end.type === "failure" ? end : answerValue(end.text, answer);
};

const computeItem = (worker: Worker, item: Item, input: ExecutorInput): ItemEnd => {
  if (!computes(worker.node)) return WRONG_KIND;
  const end = transformNode(worker.node, input, worker.view, item.value);
  if (end.type === "failure") return end;
  const [only, more] = end.updates;
  const value = only && !more ? only.value : Object.fromEntries(end.updates.map((update) => [update.path, update.value]));

  return { type: "value", value };
};

const attempt = async (worker: Worker, item: Item, task: string, work: Work): Promise<ItemEnd> => {
  work.signal.throwIfAborted();
  const { node, tools, view } = worker;
  if (callsTool(node)) return callTool(node, tools, buildToolArguments(node, view, item.value), task, work.gateways);
  if (computes(node)) return computeItem(worker, item, work.input);

  return askAgent(worker, item, task, work).catch(toModelFailure);
};

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  // Rejects with the signal's reason, not the timer's.
  await timer(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
};

const tried = async (worker: Worker, item: Item, last: string, work: Work): Promise<ItemEnd> => {
  const { failure_policy: policy } = worker.node;
  for (let n = 0; ; n++) {
    const task = taskName(item.index, n);
    if (findKnownFailure(task, work.input)) continue;
    const end = await attempt(worker, item, task, work);
    if (end.type === "value") return end;
    const final = !end.retryable || n >= policy.attempts - 1 || isSpent(end);
    await recordFailure(final ? last : task, end, work.gateways);
    if (final) return end;
    const waitMs = computeBackoffMs(policy, n + 1, createChance(work.input.seed, task)());
    await pause(Math.max(end.retryAfterMs ?? 0, waitMs), work.signal);
  }
};

/** Works on one item with retries. Records a permanent failure for a resumed map. */
export const workOn = async (worker: Worker, item: Item, work: Work): Promise<ItemEnd> => {
  const { attempts, timeout_ms: timeoutMs } = worker.node.failure_policy;
  const last = taskName(item.index, attempts - 1);
  const lost = findKnownFailure(last, work.input);
  if (lost) return lost;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await tried(worker, item, last, { ...work, signal: AbortSignal.any([work.signal, timeout]) });
  } catch (error) {
    if (error !== timeout.reason) throw error;
    const late = createFailure("item_timeout", false, "The item took longer than its worker may.");
    await recordFailure(last, late, work.gateways);

    return late;
  }
};
