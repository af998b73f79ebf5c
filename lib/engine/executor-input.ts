/** Executor input; nothing else of the state. */
import type { Agent, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { parsePath, valueAtText, withValueAt } from "@/lib/graph/path";
import { agentIdsOf } from "@/lib/graph/refs";
import { digestOf } from "@/lib/hash";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { listPendingReviewers } from "@/lib/engine/approvals/pending-reviewers";
import { grantedTools, taskTools } from "@/lib/engine/decide/effect";
import { changedArguments } from "@/lib/engine/approvals/edited";
import { isIsolated, isolatedAside, isolatedItems, isolatedResult } from "@/lib/engine/isolation";
import { asideAt, knownValue, type Effect, type RunState } from "@/lib/engine/state";
import { ownTask, taskOf } from "@/lib/engine/task";
import type { ByPerson } from "@/lib/engine/thread";
import { notesBefore, threadsOf } from "@/lib/engine/thread-of";
import { agentOf, shownTo } from "@/lib/engine/view";

const textOf = (state: RunState, path: string): string => {
  const value = knownValue(asideAt(state, path).at(-1));

  return typeof value === "string" ? value : "";
};

const constraintsOf = (state: RunState): string[] => {
  const value = knownValue(asideAt(state, "$constraints").at(-1));

  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
};

const partyOf = (published: PublishedGraph, state: RunState, acting: GraphNode, agent: Agent | null) => {
  const party = { ...ownTask(published, acting), agent };

  return { tools: taskTools(published, party), view: shownTo(published, state, party) };
};

const workerOf = (published: PublishedGraph, state: RunState, node: GraphNode) => {
  const worker = node.kind === "map" ? published.graph.nodes.find((candidate) => candidate.id === node.config.worker_node) : undefined;
  if (!worker) return null;
  const agent = agentOf(published, worker);

  return { node: worker, agent, ...partyOf(published, state, worker, agent) };
};

/** Returns a map's view: the list, or as many handles where models work on isolated items. */
const ownView = (published: PublishedGraph, state: RunState, node: GraphNode): JsonObject => {
  const view = shownTo(published, state, ownTask(published, node));
  const worker = node.kind === "map" ? published.graph.nodes.find(({ id }) => id === node.config.worker_node) : undefined;
  if (node.kind !== "map" || !worker || !("from" in node.config.items)) return view;
  const { from } = node.config.items;
  const count = valueAtText(view, from);
  if (!isIsolated(published, ownTask(published, worker)) || !Array.isArray(count)) return view;
  const shown = withValueAt({}, parsePath(from) ?? [], isolatedItems(state, from, count.length));

  return isJsonObject(shown) ? shown : {};
};

const recalledIn = (state: RunState, activation: number, isolated: boolean) => {
  const path = `$recall.${activation}`;
  const facts = knownValue(asideAt(state, path).at(-1));
  if (!Array.isArray(facts)) return [];

  return facts.flatMap((fact: Json) => {
    const { topic, text } = isJsonObject(fact) ? fact : {};
    if (typeof topic !== "string" || typeof text !== "string") return [];

    return [{ topic, text: isolated ? wordsOf(isolatedAside(state, path, text)) : text }];
  });
};

const wordsOf = (shown: Json): string => (typeof shown === "string" ? shown : JSON.stringify(shown));

type Answered = { readonly task: string; readonly effect: Effect; readonly result: Json };

/** Returns a tool's answer as shown to a task, with the arguments if a person changed them. */
export const shownAnswer = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode,
  { task, effect, result }: Answered,
): { readonly result: Json; readonly by_person?: ByPerson } => {
  const found = published.graph.isolate_untrusted ? taskOf(published, state, node, task) : null;
  const isolated = published.graph.isolate_untrusted && !(found && !isIsolated(published, found));
  const changed = changedArguments(state, effect);
  const shown = changed !== null && isolated ? isolatedAside(state, `$arguments.${effect.effect_id}`, changed) : changed;

  return {
    result: isolated ? isolatedResult(state, effect, result) : result,
    ...(shown === null ? {} : { by_person: { changed_arguments: shown } }),
  };
};

export const buildExecutorInput = (published: PublishedGraph, state: RunState, node: GraphNode, activation: number) => {
  const agents = agentIdsOf(node).flatMap((id) => published.agents.filter((agent) => agent.id === id));
  const isolated = published.graph.isolate_untrusted && (agents.length > 0 || node.kind === "map");
  const said = (path: string, text: string) => (isolated ? wordsOf(isolatedAside(state, path, text)) : text);

  return {
    workspace: state.workspace,
    run: state.run,
    node,
    activation,
    goal: said("$goal", textOf(state, "$goal")),
    constraints: constraintsOf(state).map((constraint) => said("$constraints", constraint)),
    counters: { iteration_count: state.iterationCount, retry_count: state.retryCount },
    view: ownView(published, state, node),
    agent: agentOf(published, node),
    tools: grantedTools(published, node),
    agents: agents.map((agent) => ({ agent, ...partyOf(published, state, node, agent) })),
    worker: workerOf(published, state, node),
    isolated,
    threads: threadsOf(state, (task, effect, result) => shownAnswer(published, state, node, { task, effect, result })),
    failedTasks: state.failedTasks,
    asked: listPendingReviewers(published, state, node),
    recalled: recalledIn(state, activation, isolated),
    notes: notesBefore(state),
    seed: digestOf("seed", { run: state.run, activation }),
  };
};
