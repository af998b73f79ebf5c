import type { GraphNode } from "@/lib/graph/document";
import { createSourceLabel, joinLabels } from "@/lib/graph/label";
import { refuse } from "@/lib/refusal";
import { listPassedThresholds } from "@/lib/engine/budget";
import { DEFAULT_POLICY, getCompaction, getCompactionPath } from "@/lib/engine/compaction";
import type { DecideContext } from "@/lib/engine/decide/context";
import { reservationOf } from "@/lib/engine/decide/model";
import { accept, listReads, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { findAside } from "@/lib/engine/state";
import { findTask } from "@/lib/engine/task";
import { getThreadPath } from "@/lib/engine/thread-of";
import { getContextLabel, listInfluences } from "@/lib/engine/view";

type Context = DecideContext<"compaction"> & { readonly node: GraphNode };

/** For later calls; all records stay. */
export const decideCompaction = ({ published, state, body, node }: Context): Verdict => {
  const taskId = body.task ?? "";
  const task = findTask(published, state, node, taskId);
  if (!task?.agent) return reject(refuse("task_unknown", [node.id]), node.id);
  const turns = findAside(state, getThreadPath(state, taskId));
  if (body.turns >= turns.length || body.turns <= (getCompaction(state, taskId)?.turns ?? 0))
    return reject(refuse("version_conflict"), node.id);
  const how = body.summarised === null ? "drop" : "summarise";
  if (how !== (published.graph.over_thread ?? DEFAULT_POLICY)) return reject(refuse("version_conflict"), node.id);
  const { summarised } = body;
  if (summarised && !reservationOf(state, { ...body, reservation_id: summarised.reservation_id }))
    return reject(refuse("reservation_unknown", [node.id]), node.id);
  const spoken = summarised ? [`agent:${task.agent.id}`, `model:${summarised.usage.model}`] : [];
  const label = joinLabels([
    getContextLabel(published, state, node, taskId),
    ...spoken.map((from) => createSourceLabel("trusted", "public", from)),
  ]);
  const at = { node: node.id, activation: body.activation, task: taskId } as const;
  const called = summarised ? [{ type: "model_called", ...at, step: turns.length, ...summarised } as const] : [];
  const spent = summarised && {
    tokens: summarised.usage.input_tokens + summarised.usage.output_tokens,
    cost_micro_usd: summarised.usage.cost_micro_usd,
  };

  return accept({
    events: [
      ...called.map(({ summary: _summary, ...event }) => event),
      { type: "thread_compacted", ...at, turns: body.turns, how, replaced: turns.slice(0, body.turns).map(({ commitment }) => commitment) },
      ...(spent ? listPassedThresholds(state, node, spent) : []),
    ],
    writes: [{ path: getCompactionPath(state, taskId), value: { turns: body.turns, summary: summarised?.summary ?? null }, label }],
    reads: listReads(listInfluences(published, state, node, taskId)),
    node: node.id,
  });
};
