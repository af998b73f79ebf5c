/** What all rules look at, computed once per validation. */
import { dominatorsOf, type Dominators } from "@/lib/graph/dominators";
import type { Agent, EffectClass, Graph, GraphNode, MemoryKey, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { isAtOrBelow, isGranted, parsePath, type Path } from "@/lib/graph/path";
import type { HexDigest } from "@/lib/hash";
import { toolId } from "@/lib/graph/tool-ref";
import { topologyOf, type Topology } from "@/lib/graph/topology";
import { isJsonObject, type Json } from "@/lib/json";
import { accessOf, type Access } from "./access";
import { actingAgentIds } from "./acting";

/** The registry as the graph's author may use it: agents, and tools that are pinned on an active server. */
export type ValidationContext = {
  readonly agents: readonly Agent[];
  readonly tools: readonly PinnedTool[];
  /** Published graphs that a subgraph node may name, the newest version of a graph before its older ones. */
  readonly versions: readonly PublishedVersion[];
};

export type PublishedVersion = { readonly version: HexDigest; readonly published: PublishedGraph };

export type Facts = {
  readonly graph: Graph;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly topology: Topology;
  readonly dominators: Dominators;
  readonly keys: ReadonlyMap<string, MemoryKey>;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly tools: ReadonlyMap<string, PinnedTool>;
  /** Memory keys that the launch form fills. */
  readonly inputKeys: ReadonlySet<string>;
  readonly versions: readonly PublishedVersion[];
  readonly access: ReadonlyMap<string, Access>;
};

const inputKeysOf = (graph: Graph): Set<string> => {
  const properties: Json | undefined = graph.inputs["properties"];

  return new Set(isJsonObject(properties) ? Object.keys(properties) : []);
};

export const factsOf = (graph: Graph, context: ValidationContext): Facts => {
  const topology = topologyOf(graph);
  const agents = new Map(context.agents.map((agent) => [agent.id, agent]));

  return {
    graph,
    nodes: new Map(graph.nodes.map((node) => [node.id, node])),
    topology,
    dominators: dominatorsOf(topology, graph.start_node),
    keys: new Map(graph.memory.map((key) => [key.key, key])),
    agents,
    tools: new Map(context.tools.map((tool) => [toolId(tool.server, tool.tool), tool])),
    inputKeys: inputKeysOf(graph),
    versions: context.versions,
    access: new Map(graph.nodes.map((node) => [node.id, accessOf(node, agents)])),
  };
};

const EFFECTS: readonly EffectClass[] = ["pure", "read", "write", "irreversible"];

/** The worst that a node can do: what it says itself, or what the tools it may call do. */
export const effectOf = (facts: Facts, node: GraphNode): EffectClass => {
  const called = toolsOf(facts, node).map((tool) => tool.effect);

  return [node.effect, ...called].reduce((worst, effect) => (EFFECTS.indexOf(effect) > EFFECTS.indexOf(worst) ? effect : worst));
};

/** The pinned tools that a node may call, each once. */
export const toolsOf = (facts: Facts, node: GraphNode): PinnedTool[] => {
  const named = node.kind === "tool" ? [node.config] : actingAgentIds(node).flatMap((id) => facts.agents.get(id)?.tools ?? []);

  return present([...new Set(named.map((ref) => facts.tools.get(toolId(ref.server, ref.tool))))]);
};

const present = <T>(items: readonly (T | undefined)[]): T[] => items.filter((item) => item !== undefined);

/** Whether two paths share a value: one lies at or below the other. */
export const overlaps = (a: Path, b: Path): boolean => isAtOrBelow(a, b) || isAtOrBelow(b, a);

/** Whether grants cover a path, or something below it. */
export const touches = (grants: readonly string[], path: Path): boolean =>
  isGranted(grants, path) || grants.some((grant) => overlaps(parsePath(grant) ?? [], path));

/** How people call a node. */
export const nodeName = (node: GraphNode): string => (node.title === "" ? node.id : node.title);
