import type { GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { isTrustedFor } from "@/lib/graph/facts/trusted";
import { callsTool } from "@/lib/graph/kind-of";
import type { Label } from "@/lib/graph/label";
import { ownMember } from "@/lib/json";
import { findAside, getKnownValue, type GateState, type RunState } from "@/lib/engine/state";
import { findTask, type Task } from "@/lib/engine/task";

type Tool = Pick<PinnedTool, "server" | "tool">;

const AGENT = "agent:";

/** Returns whether a model makes the calls of a task. */
export const isModelTask = ({ acting, agent }: Pick<Task, "acting" | "agent">): boolean => agent !== null && !callsTool(acting);

/** Subgraphs may pin other versions of an agent: all must be trusted. */
const isTrusted = (root: PublishedGraph, id: string, tool: Tool): boolean => {
  const known = [root, ...root.subgraphs].flatMap(({ agents }) => agents.filter((agent) => agent.id === id));

  return known.length > 0 && known.every((agent) => isTrustedFor(agent, tool));
};

/** Returns whether a model untrusted for the tool chose or shaped a call. @param label of the arguments */
export const isChosenByModel = (root: PublishedGraph, task: Pick<Task, "acting" | "agent"> | null, label: Label, tool: Tool): boolean => {
  const speaker = task !== null && isModelTask(task) && task.agent !== null ? [task.agent.id] : [];
  const heard = label.provenance.flatMap((source) => (source.startsWith(AGENT) ? [source.slice(AGENT.length)] : []));

  return [...speaker, ...heard].some((id) => !isTrusted(root, id, tool));
};

export const isCallOfModel = (published: PublishedGraph, state: RunState, node: GraphNode, { gate }: GateState): boolean => {
  if (gate.reason !== "effect" && gate.reason !== "tainted_effect") return false;
  const named = ownMember(getKnownValue(findAside(state, `$pending.${gate.id}`).at(-1)), "task");
  const task = typeof named === "string" ? findTask(published, state, node, named) : null;

  return task !== null && isModelTask(task);
};
