/** Three-way merge of drafts by id, field and list name. */
import { graphSchema, type Graph, type GraphEdge, type GraphNode, type MemoryKey } from "@/lib/graph/document";
import { toFields, listNodeFields, fromFields, findNode } from "@/lib/graph/merge/fields";
import { orderItems, mergeFields, mergeItems, type Ask, type Question, type Versions } from "@/lib/graph/merge/items";
import { getOtherSide, type Side } from "@/lib/graph/merge/order";
import { collectNamedKeys, collectNamedNodes, removeNames, type Named } from "@/lib/graph/merge/references";
import { orderEdges } from "@/lib/graph/merge/edges";

export type MergeConflict = Question & {
  /** Stable while the conflict lasts. */
  readonly id: string;
  readonly choice: Side;
};

export type Choices = ReadonlyMap<string, Side>;

type Merged = { readonly document: Graph; readonly conflicts: readonly MergeConflict[] };

const NO_CHOICES: Choices = new Map();

const nodeId = (node: GraphNode): string => node.id;
const edgeId = (edge: GraphEdge): string => edge.id;
const keyName = (key: MemoryKey): string => key.key;

const splitEach = (items: readonly object[]) => items.map(toFields);

/** By id, with the naming places. */
type Needed = ReadonlyMap<string, readonly string[]>;
type Forced = { readonly nodes: Needed; readonly keys: Needed };

const NOTHING: Forced = { nodes: new Map(), keys: new Map() };

const settingsOf = ({ nodes: _nodes, edges: _edges, memory: _memory, ...settings }: Graph) => toFields(settings);

const lists = <K extends "nodes" | "edges" | "memory">({ base, mine, theirs }: Versions<Graph>, name: K): Versions<Graph[K]> => ({
  base: base[name],
  mine: mine[name],
  theirs: theirs[name],
});

const mergeOnce = (versions: Versions<Graph>, forced: Forced, ask: Ask): Graph => {
  const nodeLists = lists(versions, "nodes");
  const nodes = mergeItems<GraphNode>(nodeLists, {
    on: "node",
    idOf: nodeId,
    essence: ({ position: _position, ...node }) => node,
    split: listNodeFields,
    join: (fields) => findNode(fields) as GraphNode,
    needed: forced.nodes,
    ask,
  });
  const idsIn = { mine: new Set(versions.mine.nodes.map(nodeId)), theirs: new Set(versions.theirs.nodes.map(nodeId)) };
  const wasThere = new Set(versions.base.nodes.map(nodeId));
  /** Edges follow a removed node, unless its holder changed them, so that the node is asked about. */
  const isKept = ({ source, target }: GraphEdge, holder: Side, isUntouched: boolean): boolean => {
    const lost = [source, target].filter((id) => wasThere.has(id) && !idsIn[getOtherSide(holder)].has(id));
    if (!isUntouched) return lost.length > 0;

    return lost.some((id) => nodes.has(id)) && nodes.has(source) && nodes.has(target);
  };
  const edgeLists = lists(versions, "edges");
  const edges = mergeItems<GraphEdge>(edgeLists, {
    on: "edge",
    idOf: edgeId,
    essence: (edge) => edge,
    split: splitEach,
    join: (fields) => fromFields(fields) as GraphEdge,
    needed: new Map(),
    isKept,
    ask,
  });
  const keyLists = lists(versions, "memory");
  const keys = mergeItems<MemoryKey>(keyLists, {
    on: "key",
    idOf: keyName,
    essence: (key) => key,
    split: splitEach,
    join: (fields) => fromFields(fields) as MemoryKey,
    needed: forced.keys,
    ask,
  });
  const settings = mergeFields(
    { base: settingsOf(versions.base), mine: settingsOf(versions.mine), theirs: settingsOf(versions.theirs) },
    (field, values) => ask({ on: "settings", subject: "", field, ...values, namedBy: [] }),
  );

  return {
    ...(fromFields(settings) as Omit<Graph, "nodes" | "edges" | "memory">),
    memory: orderItems(keys, keyLists, keyName),
    nodes: orderItems(nodes, nodeLists, nodeId),
    edges: orderEdges(edges, edgeLists, ask),
  };
};

/** Excludes names the remover left dangling. */
const neededIn = (merged: Graph, { mine, theirs }: Versions<Graph>, idsIn: (graph: Graph) => string[], named: (graph: Graph) => Named) => {
  const [there, own, other] = [new Set(idsIn(merged)), new Set(idsIn(mine)), new Set(idsIn(theirs))];
  const gone = new Set([...own, ...other].filter((id) => !there.has(id)));
  const needed = new Map<string, string[]>();
  if (gone.size === 0) return needed;
  const [byMine, byTheirs] = [named(mine), named(theirs)];
  for (const [place, ids] of named(merged)) {
    for (const id of ids) {
      const remover = own.has(id) ? byTheirs : byMine;
      if (gone.has(id) && remover.get(place)?.has(id) !== true) needed.set(id, [...(needed.get(id) ?? []), place]);
    }
  }

  return needed;
};

const nodeIds = (graph: Graph) => graph.nodes.map(nodeId);
const keyNames = (graph: Graph) => graph.memory.map(keyName);

const cut = (merged: Graph, needed: Needed, { mine, theirs }: Versions<Graph>): Graph => {
  const own = new Set(nodeIds(mine));

  return removeNames(
    merged,
    (place, id) => needed.get(id)?.includes(place) === true,
    (id) => (own.has(id) ? theirs : mine).start_node,
  );
};

/** Merges beyond schema bounds, for undo steps. */
export const mergeUnbounded = (base: Graph, mine: Graph, theirs: Graph, choices: Choices = NO_CHOICES): Merged => {
  const versions = { base, mine, theirs };
  // Each round restores a thing, so rounds are bounded.
  const settle = (forced: Forced): Merged => {
    const conflicts: MergeConflict[] = [];
    const ask: Ask = (question) => {
      const id = `${question.on}:${question.subject}:${question.field ?? ""}`;
      const choice = choices.get(id) ?? "mine";
      conflicts.push({ ...question, id, choice });

      return choice;
    };
    const merged = mergeOnce(versions, forced, ask);
    const nodes = neededIn(merged, versions, nodeIds, collectNamedNodes);
    const keys = neededIn(merged, versions, keyNames, collectNamedKeys);
    const isNews = [...nodes.keys()].some((id) => !forced.nodes.has(id)) || [...keys.keys()].some((id) => !forced.keys.has(id));
    if (isNews) return settle({ nodes: new Map([...forced.nodes, ...nodes]), keys: new Map([...forced.keys, ...keys]) });

    return { document: nodes.size === 0 ? merged : cut(merged, nodes, versions), conflicts };
  };

  return settle(NOTHING);
};

/** Merges two versions of `base` into a valid document. @param choices side per conflict, default mine */
export const mergeGraphs = (base: Graph, mine: Graph, theirs: Graph, choices: Choices = NO_CHOICES): Merged => {
  const merged = mergeUnbounded(base, mine, theirs, choices);
  if (graphSchema.safeParse(merged.document).success) return merged;
  // Too large together, so one side is chosen whole.
  const choice = choices.get("document::") ?? "mine";
  const question = { on: "document", subject: "", field: null, base, mine, theirs, namedBy: [] } as const;

  return { document: choice === "mine" ? mine : theirs, conflicts: [{ ...question, id: "document::", choice }] };
};
