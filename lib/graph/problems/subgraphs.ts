/** Subgraphs: existing versions, declared keys, bounded nesting. */
import type { Graph, NodeOf, PublishedGraph } from "@/lib/graph/document";
import { runsGraph } from "@/lib/graph/kind-of";
import { isGranted, parsePath } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { listBelow, findChild, MOST_FRAMES } from "./children";
import { listInputKeys, getNodeName, type Facts, type PublishedVersion } from "./facts";
import { createProblem, type Fix, type Problem } from "./problem";

const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.flatMap((item: Json) => (typeof item === "string" ? [item] : [])) : [];

type Node = NodeOf<"subgraph">;

const without = (node: Node, side: "inputs" | "outputs", name: string): Fix => {
  const { [name]: _dropped, ...kept } = node.config[side];

  return { title: `Remove ${name}`, edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, [side]: kept } } }] };
};

const giveFix = (facts: Facts, node: Node, key: string): Fix | undefined => {
  if (!facts.keys.has(key)) return undefined;
  const read_keys = isGranted(node.read_keys, [key]) ? node.read_keys : [...node.read_keys, key];
  const config = { ...node.config, inputs: { ...node.config.inputs, [key]: key } };

  return { title: `Pass ${key}`, edits: [{ op: "replace_node", node: { ...node, read_keys, config } }] };
};

const mappings = (facts: Facts, node: Node, child: Graph): Problem[] => {
  const declared = new Set(child.memory.map((key) => key.key));
  const place = (key: string) => ({ node: node.id, key });
  const unknown = (key: string) => !declared.has(key);
  const required = texts(child.inputs["required"]).filter((key) => listInputKeys(child).has(key));

  return [
    ...Object.keys(node.config.inputs)
      .filter(unknown)
      .map((key) => createProblem("mapping_undeclared", place(key), `${child.name} has no key ${key}.`, without(node, "inputs", key))),
    ...Object.entries(node.config.outputs)
      .filter(([, from]) => unknown(parsePath(from)?.[0] ?? ""))
      .map(([to, from]) =>
        createProblem("mapping_undeclared", place(to), `${child.name} has no key for ${from}.`, without(node, "outputs", to)),
      ),
    ...required
      .filter((key) => !Object.hasOwn(node.config.inputs, key))
      .map((key) =>
        createProblem(
          "mapping_missing",
          place(key),
          `${child.name} requires ${key}, but ${getNodeName(node)} does not pass it.`,
          giveFix(facts, node, key),
        ),
      ),
  ];
};

type Depths = Map<string, number>;

const depthOf = (child: PublishedVersion, known: Depths, above: number): number => {
  const found = known.get(child.version);
  if (found !== undefined || above > MOST_FRAMES) return found ?? 1;
  const inner = childrenIn(child.published).map((one) => depthOf(one, known, above + 1));
  const depth = 1 + Math.max(0, ...inner);
  known.set(child.version, depth);

  return depth;
};

const childrenIn = (published: PublishedGraph): PublishedVersion[] => {
  const versions = listBelow(published);

  return published.graph.nodes.flatMap((node) => (runsGraph(node) ? (findChild({ versions }, node) ?? []) : []));
};

const comesBack = (facts: Facts, { published }: PublishedVersion): boolean =>
  [published.graph, ...published.subgraphs.map((inner) => inner.graph)].some((graph) => graph.id === facts.graph.id);

const ofNode = (facts: Facts, node: Node, depths: Depths): Problem[] => {
  const { graph_id: graphId, version } = node.config;
  const place = { node: node.id };
  if (graphId === facts.graph.id) return [createProblem("subgraph_cycle", place, `${getNodeName(node)} refers to this graph itself.`)];
  const child = findChild(facts, node);
  if (!child) {
    const what = version === undefined ? `the published graph ${graphId}` : `version ${version.slice(0, 8)} of ${graphId}`;

    const { version: _gone, ...config } = node.config;
    const isThere = facts.versions.some(({ published }) => published.graph.id === graphId);

    return [
      createProblem(
        "subgraph_unknown",
        place,
        `${getNodeName(node)} uses ${what}, which does not exist.`,
        isThere ? { title: "Use the latest version", edits: [{ op: "replace_node", node: { ...node, config } }] } : undefined,
      ),
    ];
  }
  const cycle = comesBack(facts, child)
    ? [createProblem("subgraph_cycle", place, `${getNodeName(node)} uses a graph that uses this one.`)]
    : [];
  const deep = depthOf(child, depths, 1) > MOST_FRAMES;

  return [
    ...cycle,
    ...(deep
      ? [
          createProblem(
            "subgraph_too_deep",
            place,
            `The subgraphs in ${getNodeName(node)} are nested more than ${MOST_FRAMES} levels deep.`,
          ),
        ]
      : []),
    ...mappings(facts, node, child.published.graph),
  ];
};

export const findSubgraphProblems = (facts: Facts): Problem[] => {
  const depths: Depths = new Map();

  return facts.graph.nodes.filter(runsGraph).flatMap((node) => ofNode(facts, node, depths));
};
