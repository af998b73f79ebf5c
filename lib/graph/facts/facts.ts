import { computeDominators, type Dominators } from "@/lib/graph/dominators";
import type { Agent, EffectClass, Graph, GraphNode, MemoryKey, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { callsTool, mapsItems } from "@/lib/graph/kind-of";
import { isAtOrBelow, isGranted, parsePath, type Path } from "@/lib/graph/path";
import type { ProviderKind } from "@/lib/model-provider";
import type { HexDigest } from "@/lib/hash";
import { getToolId } from "@/lib/graph/tool-ref";
import { buildTopology, type Topology } from "@/lib/graph/topology";
import { isJsonObject, type Json } from "@/lib/json";
import { getAccess, type Access } from "./access";
import { listCallingAgentIds } from "./acting";

export type ValidationContext = {
  readonly agents: readonly Agent[];
  readonly tools: readonly PinnedTool[];
  /** Usable subgraphs, newest version first. */
  readonly versions: readonly PublishedVersion[];
  /** Absent: unknown. */
  readonly servers?: readonly ServerPlace[];
  /** Absent: unknown. */
  readonly approvers?: KnownApprovers;
  readonly environments?: readonly string[];
  /** The workspace's own, by id. */
  readonly providers?: Readonly<Record<string, ProviderKind>>;
};

export type KnownApprovers = {
  readonly groups: readonly { readonly name: string; readonly people: readonly string[] }[];
  readonly deciders: readonly { readonly id: string; readonly name: string }[];
};

export type ServerStanding = {
  /** Of lib/mcp/status. */
  readonly status: string;
  /** Agents, and `node` for tool nodes. */
  readonly callers: readonly string[];
  readonly switchedOff: readonly string[];
  readonly unlabelled: readonly string[];
  readonly unusable: readonly { readonly name: string; readonly reason: string }[];
  /** No live runner has its program. */
  readonly isGone: boolean;
};

/** `host`: null if local. `credential`: uses one of ours. `standing` absent: unknown. */
export type ServerPlace = {
  readonly id: string;
  readonly host: string | null;
  readonly credential: boolean;
  readonly standing?: ServerStanding;
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
  readonly inputKeys: ReadonlySet<string>;
  readonly versions: readonly PublishedVersion[];
  readonly servers: ReadonlyMap<string, ServerPlace> | null;
  readonly providers: Readonly<Record<string, ProviderKind>>;
  readonly approvers: KnownApprovers | null;
  readonly environments: readonly string[] | null;
  /** Map of each worker. */
  readonly masters: ReadonlyMap<string, string>;
  readonly access: ReadonlyMap<string, Access>;
  /** By memory key at or above. */
  readonly writers: ReadonlyMap<string, readonly Writer[]>;
  /** Outside agents' inputs, written before the node works. */
  readonly given: readonly Writer[];
};

export type Writer = { readonly node: GraphNode; readonly path: Path };

export const listInputKeys = (graph: Graph): Set<string> => {
  const properties: Json | undefined = graph.inputs["properties"];

  return new Set(isJsonObject(properties) ? Object.keys(properties) : []);
};

const writersOf = (graph: Graph, access: ReadonlyMap<string, Access>): Map<string, Writer[]> => {
  const everything = graph.memory.map((key): Path => [key.key]);
  const writers = graph.nodes.flatMap((node) => {
    const grants = access.get(node.id)?.writes ?? [];
    const paths = grants.includes("*") ? everything : grants.flatMap((grant) => parsePathOrNone(grant));

    return paths.map((path): Writer => ({ node, path }));
  });

  return Map.groupBy(writers, ({ path }) => path[0] ?? "");
};

const parsePathOrNone = (text: string): Path[] => {
  const path = parsePath(text);

  return path === null ? [] : [path];
};

const givenIn = (graph: Graph): Writer[] =>
  graph.external
    ? graph.nodes.flatMap((node) =>
        (node.action?.inputs ?? []).flatMap((input) => parsePathOrNone(input.path).map((path) => ({ node, path }))),
      )
    : [];

export const collectFacts = (graph: Graph, context: ValidationContext): Facts => {
  const topology = buildTopology(graph);
  const agents = new Map(context.agents.map((agent) => [agent.id, agent]));
  const masters = new Map(graph.nodes.flatMap((node) => (mapsItems(node) ? [[node.config.worker_node, node.id] as const] : [])));
  // Its map writes a worker's answer.
  const uses = (node: GraphNode): Access => ({ ...getAccess(node, agents), ...(masters.has(node.id) ? { writes: [] } : {}) });
  const access = new Map(graph.nodes.map((node) => [node.id, uses(node)]));

  return {
    graph,
    nodes: new Map(graph.nodes.map((node) => [node.id, node])),
    topology,
    dominators: computeDominators(topology, graph.start_node),
    keys: new Map(graph.memory.map((key) => [key.key, key])),
    agents,
    tools: new Map(context.tools.map((tool) => [getToolId(tool.server, tool.tool), tool])),
    inputKeys: listInputKeys(graph),
    versions: context.versions,
    approvers: context.approvers ?? null,
    environments: context.environments ?? null,
    providers: context.providers ?? {},
    servers: context.servers ? new Map(context.servers.map((server) => [server.id, server])) : null,
    masters,
    access,
    writers: writersOf(graph, access),
    given: givenIn(graph),
  };
};

export const changesSomething = (effect: EffectClass): boolean => effect === "write" || effect === "irreversible";

export const listTools = (facts: Facts, node: GraphNode): PinnedTool[] => {
  const named = callsTool(node) ? [node.config] : listCallingAgentIds(node).flatMap((id) => facts.agents.get(id)?.tools ?? []);

  return present([...new Set(named.map((ref) => facts.tools.get(getToolId(ref.server, ref.tool))))]);
};

const present = <T>(items: readonly (T | undefined)[]): T[] => items.filter((item) => item !== undefined);

export const findWritersAt = (facts: Facts, path: Path): GraphNode[] => [
  ...new Set((facts.writers.get(path[0] ?? "") ?? []).filter((writer) => overlaps(writer.path, path)).map((writer) => writer.node)),
];

export const overlaps = (a: Path, b: Path): boolean => isAtOrBelow(a, b) || isAtOrBelow(b, a);

export const touches = (grants: readonly string[], path: Path): boolean =>
  isGranted(grants, path) || grants.some((grant) => overlaps(parsePath(grant) ?? [], path));

export const getNodeName = (node: GraphNode): string => (node.title === "" ? node.id : node.title);
