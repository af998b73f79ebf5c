import { listActionNodes } from "@/lib/graph/actions";
import type { EffectClass, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { callsTool, mapsItems } from "@/lib/graph/kind-of";
import type { JsonObject } from "@/lib/json";
import { isGranted, parsePath } from "@/lib/graph/path";
import { listAgentIds } from "@/lib/graph/refs";
import { listTaskTools } from "@/lib/engine/decide/effect";
import { findChild } from "@/lib/engine/frame";
import { expandGrants } from "@/lib/engine/view";
import { buildActionSchema } from "@/lib/outside/schemas";
import { listTransitions, type Transition } from "@/lib/outside/transitions";

export type GraphAction = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly required_inputs: readonly string[];
  readonly optional_inputs: readonly string[];
  readonly input_schema: JsonObject;
  readonly tags: readonly string[];
};

export type GraphResource = {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  readonly entrypoint: string;
  readonly end_actions: readonly string[];
  readonly actions: readonly GraphAction[];
  readonly transitions: readonly Transition[];
  readonly state_schema: JsonObject;
};

const CLASSES: readonly EffectClass[] = ["pure", "read", "write", "irreversible"];
const TAGS = {
  pure: [],
  read: ["read"],
  write: ["write", "dangerous"],
  irreversible: ["irreversible", "dangerous"],
} as const satisfies Record<EffectClass, readonly string[]>;

const partsOf = (published: PublishedGraph, node: GraphNode): readonly GraphNode[] => {
  if (mapsItems(node)) return published.graph.nodes.filter(({ id }) => id === node.config.worker_node);

  return [];
};

/** Strictest by graph and pins. */
const effectOf = (published: PublishedGraph, node: GraphNode): EffectClass => {
  const agents = listAgentIds(node).map((id) => published.agents.find((agent) => agent.id === id) ?? null);
  const parties = callsTool(node) ? [null] : agents;
  const tools = parties.flatMap((agent) => listTaskTools(published, { acting: node, agent, judges: false }));
  const child = findChild(published, node.id);
  const inside = child
    ? child.graph.nodes.map((part) => effectOf(child, part))
    : partsOf(published, node).map((part) => effectOf(published, part));
  const all = [node.effect, ...tools.map(({ effect }) => effect), ...inside];

  return CLASSES[Math.max(...all.map((effect) => CLASSES.indexOf(effect)))] ?? "irreversible";
};

export const toGraphResource = (published: PublishedGraph): GraphResource => {
  const { graph } = published;
  const grants = graph.external ? expandGrants(graph, graph.external.read_keys) : [];
  const isShown = (path: string) => isGranted(grants, parsePath(path) ?? []);
  const shownOf = (paths: readonly string[]) => expandGrants(graph, paths).filter(isShown);
  const actionOf = (node: GraphNode): GraphAction => {
    const inputs = node.action?.inputs ?? [];

    return {
      name: node.id,
      title: node.title,
      description: node.action?.description ?? "",
      reads: shownOf(node.read_keys),
      writes: shownOf(node.write_keys),
      required_inputs: inputs.filter(({ required }) => required).map(({ name }) => name),
      optional_inputs: inputs.filter(({ required }) => !required).map(({ name }) => name),
      input_schema: buildActionSchema(graph, node),
      tags: TAGS[effectOf(published, node)],
    };
  };

  return {
    name: graph.name,
    description: graph.description,
    instructions: graph.external?.instructions ?? "",
    entrypoint: graph.start_node,
    end_actions: graph.end_nodes,
    actions: listActionNodes(graph).map(actionOf),
    transitions: listTransitions(graph),
    state_schema: {
      type: "object",
      properties: Object.fromEntries(graph.memory.filter(({ key }) => isShown(key)).map(({ key, schema }) => [key, schema])),
    },
  };
};
