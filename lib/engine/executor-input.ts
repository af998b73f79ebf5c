import { oncePer } from "@/lib/once-per";
import { compileExpression } from "@/lib/graph/condition";
import { expandArtifacts } from "@/lib/graph/artifact-schema";
import type { Agent, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { listExpressions } from "@/lib/graph/facts/access";
import { getDeclared, getDeclaredFor } from "@/lib/graph/facts/declared";
import type { Label } from "@/lib/graph/label";
import { mapsItems } from "@/lib/graph/kind-of";
import { isGranted, parsePath, getValueAtText, withValueAt } from "@/lib/graph/path";
import { listAgentIds } from "@/lib/graph/refs";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { listPendingReviewers } from "@/lib/engine/approvals/pending-reviewers";
import { getVariables } from "@/lib/engine/environment";
import { listGrantedTools, listTaskTools } from "@/lib/engine/decide/effect";
import { getChangedArguments } from "@/lib/engine/approvals/edited";
import { isIsolated, isolateAside, isolateItems, isolateResult } from "@/lib/engine/isolation";
import { findAside, findLabelAt, getKnownValue, type Effect, type RunState } from "@/lib/engine/state";
import { ownTask, findTask } from "@/lib/engine/task";
import type { ByPerson } from "@/lib/engine/thread";
import { listNotesBefore, collectThreads } from "@/lib/engine/thread-of";
import { findAgent, getShownTo } from "@/lib/engine/view";

const textOf = (state: RunState, path: string): string => {
  const value = getKnownValue(findAside(state, path).at(-1));

  return typeof value === "string" ? value : "";
};

const constraintsOf = (state: RunState): string[] => {
  const value = getKnownValue(findAside(state, "$constraints").at(-1));

  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
};

const partyOf = (published: PublishedGraph, state: RunState, acting: GraphNode, agent: Agent | null) => {
  const party = { ...ownTask(published, acting), agent };

  return { tools: listTaskTools(published, party), view: getShownTo(published, state, party) };
};

const workerOf = (published: PublishedGraph, state: RunState, node: GraphNode) => {
  const worker = mapsItems(node) ? published.graph.nodes.find((candidate) => candidate.id === node.config.worker_node) : undefined;
  if (!worker) return null;
  const agent = findAgent(published, worker);

  return { node: worker, agent, ...partyOf(published, state, worker, agent) };
};

/** Isolated items become handles. */
const ownView = (published: PublishedGraph, state: RunState, node: GraphNode): JsonObject => {
  const view = getShownTo(published, state, ownTask(published, node));
  const worker = mapsItems(node) ? published.graph.nodes.find(({ id }) => id === node.config.worker_node) : undefined;
  if (!mapsItems(node) || !worker || !("from" in node.config.items)) return view;
  const { from } = node.config.items;
  const count = getValueAtText(view, from);
  if (!isIsolated(published, ownTask(published, worker)) || !Array.isArray(count)) return view;
  const shown = withValueAt({}, parsePath(from) ?? [], isolateItems(state, from, count.length));

  return isJsonObject(shown) ? shown : {};
};

const recalledIn = (state: RunState, activation: number, isolated: boolean) => {
  const path = `$recall.${activation}`;
  const facts = getKnownValue(findAside(state, path).at(-1));
  if (!Array.isArray(facts)) return [];

  return facts.flatMap((fact: Json) => {
    const { topic, text } = isJsonObject(fact) ? fact : {};
    if (typeof topic !== "string" || typeof text !== "string") return [];

    return [{ topic, text: isolated ? wordsOf(isolateAside(state, path, text)) : text }];
  });
};

const wordsOf = (shown: Json): string => (typeof shown === "string" ? shown : JSON.stringify(shown));

type Answered = { readonly task: string; readonly effect: Effect; readonly result: Json };

const toWrittenSchema = (schema: JsonObject): JsonObject => {
  const expanded = expandArtifacts(schema);

  return isJsonObject(expanded) ? expanded : schema;
};

const schemasOf = oncePer(({ graph }: PublishedGraph) =>
  oncePer((node: GraphNode): Readonly<Record<string, JsonObject>> => {
    const { keys } = getDeclared(graph);
    const written = new Set(node.write_keys.flatMap((grant) => parsePath(grant)?.[0] ?? []));

    return Object.fromEntries([...written].flatMap((key) => (Object.hasOwn(keys, key) ? [[key, toWrittenSchema(keys[key] ?? {})]] : [])));
  }),
);

const listAskedLabels = oncePer((node: GraphNode): readonly (readonly string[])[] =>
  listExpressions(node).flatMap(({ text }) => {
    const compiled = compileExpression(text);

    return compiled.ok ? compiled.value.labels : [];
  }),
);

const askedLabels = (state: RunState, node: GraphNode): Readonly<Record<string, Label>> =>
  Object.fromEntries(
    listAskedLabels(node).flatMap((path) => {
      const label = isGranted(node.read_keys, path) ? findLabelAt(state, path) : undefined;

      return label ? [[JSON.stringify(path), label]] : [];
    }),
  );

/** Other inputs of expressions; null: the node computes none. */
const computedWith = (published: PublishedGraph, state: RunState, node: GraphNode) => {
  const acting = (mapsItems(node) ? published.graph.nodes.find(({ id }) => id === node.config.worker_node) : undefined) ?? node;

  return listExpressions(acting).length === 0
    ? null
    : { declared: getDeclaredFor(published.graph, acting), labels: askedLabels(state, acting), env: getVariables(state) };
};

export const buildShownAnswer = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode,
  { task, effect, result }: Answered,
): { readonly result: Json; readonly by_person?: ByPerson } => {
  const found = published.graph.isolate_untrusted ? findTask(published, state, node, task) : null;
  const isolated = published.graph.isolate_untrusted && !(found && !isIsolated(published, found));
  const changed = getChangedArguments(state, effect);
  const shown = changed !== null && isolated ? isolateAside(state, `$arguments.${effect.effect_id}`, changed) : changed;

  return {
    result: isolated ? isolateResult(state, effect, result) : result,
    ...(shown === null ? {} : { by_person: { changed_arguments: shown } }),
  };
};

export const buildExecutorInput = (published: PublishedGraph, state: RunState, node: GraphNode, activation: number) => {
  const agents = listAgentIds(node).flatMap((id) => published.agents.filter((agent) => agent.id === id));
  const isolated = published.graph.isolate_untrusted && (agents.length > 0 || mapsItems(node));
  const said = (path: string, text: string) => (isolated ? wordsOf(isolateAside(state, path, text)) : text);

  return {
    workspace: state.workspace,
    run: state.run,
    node,
    activation,
    goal: said("$goal", textOf(state, "$goal")),
    constraints: constraintsOf(state).map((constraint) => said("$constraints", constraint)),
    counters: { iteration_count: state.iterationCount, retry_count: state.retryCount },
    view: ownView(published, state, node),
    schemas: schemasOf(published)(node),
    computed: computedWith(published, state, node),
    agent: findAgent(published, node),
    tools: listGrantedTools(published, node),
    agents: agents.map((agent) => ({ agent, ...partyOf(published, state, node, agent) })),
    worker: workerOf(published, state, node),
    isolated,
    threads: collectThreads(state, (task, effect, result) => buildShownAnswer(published, state, node, { task, effect, result })),
    failedTasks: state.failedTasks,
    asked: listPendingReviewers(published, state, node),
    recalled: recalledIn(state, activation, isolated),
    notes: listNotesBefore(state),
  };
};
