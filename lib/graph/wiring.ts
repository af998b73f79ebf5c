/** Connects a new node or tool to a graph. */
import { memoryKeySchema, type Graph, type GraphNode, type MemoryKey, type NodeOf, type PinnedTool } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";
import { generateId } from "@/lib/graph/edit-nodes";
import { answerPath } from "@/lib/graph/facts/access";
import { changesSomething, getNodeName } from "@/lib/graph/facts/facts";
import { findValue, getMembers, inferArguments } from "@/lib/graph/infer-arguments";
import { isUsableSchema } from "@/lib/graph/json-schema";
import { asksPerson, mapsItems } from "@/lib/graph/kind-of";
import { isGranted, isMemoryKeyName, parsePath } from "@/lib/graph/path";
import { buildTopology, findReachable } from "@/lib/graph/topology";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";

/** Not chosen yet; the validator reports it. */
export const UNASSIGNED = "unassigned";

const declare = (key: string, schema: JsonObject, more: Partial<MemoryKey> = {}): EditOperation => ({
  op: "set_memory_key",
  key: memoryKeySchema.parse({ key, schema, ...more }),
});

const takenKeys = ({ memory }: Graph): ReadonlySet<string> => new Set(memory.map(({ key }) => key));

/** Earlier nodes, nearest first, including the given one. */
const listEarlier = (graph: Graph, id: string): readonly GraphNode[] => {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));

  return [...findReachable([id], buildTopology(graph).predecessors)].flatMap((each) => byId.get(each) ?? []);
};

const findNearestResult = (graph: Graph, source: string): string | undefined =>
  listEarlier(graph, source)
    .map(answerPath)
    .find((path) => path !== undefined);

const ANSWER = "answer";

/** Grants an agent the nearest result and declares its answer's key. */
export const wireAfter = (
  graph: Graph,
  source: string,
  node: GraphNode,
): { readonly node: GraphNode; readonly edits: readonly EditOperation[] } => {
  if (node.kind !== "agent" || node.write_keys.length > 0) return { node, edits: [] };
  const read = findNearestResult(graph, source);
  const key = generateId(ANSWER, takenKeys(graph));

  return { node: { ...node, read_keys: read === undefined ? [] : [read], write_keys: [key] }, edits: [declare(key, {})] };
};

const toKeyName = (name: string): string => {
  const plain = name.replaceAll(/\W+/gu, "_").slice(0, 56);

  return isMemoryKeyName(plain) ? plain : `key_${plain}`.slice(0, 56);
};

const toTitle = (name: string): string => {
  const words = name.replaceAll(/[_-]+/gu, " ").trim();

  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.slice(0, 120);
};

type OpenAgent = { readonly node: NodeOf<"agent">; readonly path: string; readonly key: MemoryKey };

/** The nearest earlier agent whose answer has no form, or an extensible object's. */
const findOpenAgent = (graph: Graph, id: string): OpenAgent | undefined =>
  listEarlier(graph, id)
    .flatMap((node): OpenAgent[] => {
      if (node.kind !== "agent") return [];
      const path = answerPath(node);
      const key = graph.memory.find((each) => each.key === path);
      const isOpen = key !== undefined && (Object.keys(key.schema).length === 0 || isJsonObject(key.schema["properties"]));

      return path !== undefined && isOpen ? [{ node, path, key }] : [];
    })
    .at(0);

/** A part with references cannot stand alone. */
const partOf = (schema: JsonObject, name: string): JsonObject => {
  const part: Json | undefined = getMembers(schema)[name];

  return isJsonObject(part) && isUsableSchema(part) && !JSON.stringify(part).includes('"$ref"') ? part : {};
};

const listRequired = (schema: JsonObject): readonly string[] => {
  const { required } = schema;

  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
};

type Arguments = NodeOf<"tool">["config"]["arguments"];
type Mapped = { readonly arguments: Arguments; readonly fromAgent: readonly string[]; readonly asked: readonly string[] };

/** Changes take arguments from the agent before, reads from memory; the launch form asks for the rest. */
const mapArguments = (graph: Graph, node: NodeOf<"tool">, tool: PinnedTool, agent: OpenAgent | undefined): Mapped => {
  const schema = tool.input_schema;
  const members = getMembers(schema);
  const required = listRequired(schema);
  const kept = Object.fromEntries(Object.entries(node.config.arguments).filter(([name]) => Object.hasOwn(members, name)));
  const isChange = changesSomething(tool.effect) && agent !== undefined;
  const isOwn = (name: string) =>
    isChange && required.includes(name) && !Object.hasOwn(kept, name) && findValue(members[name] ?? null) === undefined;
  const own = required.filter(isOwn);
  const own_arguments = Object.fromEntries(
    own.map((name): [string, Arguments[string]] => [name, { from: `${agent?.path ?? ""}.${name}` }]),
  );
  const inferred = inferArguments(schema, graph, { ...kept, ...own_arguments });
  const left = required.filter((name) => !Object.hasOwn(inferred, name) && parsePath(name) !== null);
  const fromAgent = agent === undefined ? [] : left;
  const asked = agent === undefined ? left.filter(isMemoryKeyName) : [];

  return {
    arguments: {
      ...inferred,
      ...Object.fromEntries(fromAgent.map((name) => [name, { from: `${agent?.path ?? ""}.${name}` }])),
      ...Object.fromEntries(asked.map((name) => [name, { from: name }])),
    },
    fromAgent: [...own, ...fromAgent],
    asked,
  };
};

const widenAnswer = ({ node, key }: OpenAgent, schema: JsonObject, names: readonly string[]): readonly EditOperation[] => {
  if (names.length === 0) return [];
  const before = getMembers(key.schema);
  const properties = { ...Object.fromEntries(names.map((name) => [name, partOf(schema, name)])), ...before };
  const required = [...new Set([...listRequired(key.schema), ...names])];

  return [
    { op: "set_memory_key", key: { ...key, schema: { ...key.schema, type: "object", properties, required } } },
    { op: "replace_node", node: { ...node, config: { ...node.config, answer: "json" } } },
  ];
};

const askAtStart = ({ inputs }: Graph, schema: JsonObject, names: readonly string[]): readonly EditOperation[] => {
  if (names.length === 0) return [];
  const parts = Object.fromEntries(names.map((name) => [name, partOf(schema, name)]));
  const properties = { ...getMembers(inputs), ...parts };
  const required = [...new Set([...listRequired(inputs), ...names])];

  return [
    ...names.map((name) => declare(name, parts[name] ?? {})),
    { op: "settings", settings: { inputs: { ...inputs, type: "object", properties, required, additionalProperties: false } } },
  ];
};

/** Directly before a change, approval covers its exact arguments. */
const gateBefore = (graph: Graph, node: GraphNode, tool: PinnedTool, title: string): readonly EditOperation[] => {
  const before = new Set(graph.edges.flatMap(({ source, target }) => (target === node.id ? [source] : [])));
  if (!changesSomething(tool.effect)) return [];

  return graph.nodes.flatMap((gate): EditOperation[] =>
    asksPerson(gate) && before.has(gate.id) && gate.config.for_node === undefined
      ? [
          {
            op: "replace_node",
            node: {
              ...gate,
              title: gate.title === "" ? `Approve: ${title}`.slice(0, 120) : gate.title,
              config: { ...gate.config, for_node: node.id },
            },
          },
        ]
      : [],
  );
};

/** Gives a node its tool: effect, title, arguments, grants and result key; a map's worker keeps its arguments. */
export const adoptTool = (graph: Graph, node: NodeOf<"tool">, tool: PinnedTool): readonly EditOperation[] => {
  const { server, tool: name, effect, input_schema: schema } = tool;
  const isWorker = graph.nodes.some((other) => mapsItems(other) && other.config.worker_node === node.id);
  if (isWorker) return [{ op: "replace_node", node: { ...node, effect, config: { ...node.config, server, tool: name } } }];

  const title = node.title === "" ? toTitle(name) : getNodeName(node);
  const agent = findOpenAgent(graph, node.id);
  const mapped = mapArguments(graph, node, tool, agent);
  const paths = Object.values(mapped.arguments).flatMap((argument) => ("from" in argument ? [argument.from] : []));
  const reads = [...new Set(paths)].filter((path) => !isGranted(node.read_keys, parsePath(path) ?? []));
  const result = generateId(toKeyName(name), new Set([...takenKeys(graph), ...mapped.asked]));
  const hasResult = node.write_keys.length > 0 || node.config.write_to !== undefined;

  return [
    ...askAtStart(graph, schema, mapped.asked),
    ...(agent === undefined ? [] : widenAnswer(agent, schema, mapped.fromAgent)),
    ...(hasResult ? [] : [declare(result, {}, { classification: tool.output })]),
    {
      op: "replace_node",
      node: {
        ...node,
        title,
        effect,
        read_keys: [...node.read_keys, ...reads],
        write_keys: hasResult ? node.write_keys : [result],
        config: { ...node.config, server, tool: name, arguments: mapped.arguments },
      },
    },
    ...gateBefore(graph, node, tool, title),
  ];
};
