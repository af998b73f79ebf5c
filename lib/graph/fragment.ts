import { z } from "zod";
import { edgeSchema, graphSchema, memoryKeySchema, nodeSchema, type Graph, type GraphEdge, type GraphNode } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";
import { generateId } from "@/lib/graph/edit-nodes";
import { withReferences } from "@/lib/graph/edit-references";
import { idSchema } from "@/lib/ids";

type Point = { readonly x: number; readonly y: number };

const areUnique = (items: readonly { readonly id: string }[]) => new Set(items.map(({ id }) => id)).size === items.length;

const MAX = { nodes: 10_000, edges: 50_000, memory: 500, end_nodes: 1_000 };

const fragmentSchema = z
  .strictObject({
    format: z.literal("countersign/fragment/v1"),
    /** References to other nodes mean something only there. */
    origin: z.string().min(1).max(64),
    nodes: z.array(nodeSchema).min(1).max(MAX.nodes),
    edges: z.array(edgeSchema).max(MAX.edges),
    memory: z.array(memoryKeySchema).max(MAX.memory),
    /** Start and end, where copied. */
    start_node: idSchema.optional(),
    end_nodes: z.array(idSchema).max(MAX.end_nodes),
  })
  .refine(({ nodes, edges }) => areUnique(nodes) && areUnique(edges), "an id is used twice")
  .refine(({ nodes, edges }) => {
    const ids = new Set(nodes.map(({ id }) => id));

    return edges.every(({ source, target }) => ids.has(source) && ids.has(target));
  }, "an edge leaves the fragment");
export type Fragment = z.infer<typeof fragmentSchema>;

const namedBy = (node: GraphNode): ReadonlySet<string> => {
  const named = new Set<string>();
  const note = (id: string) => {
    named.add(id);

    return id;
  };
  withReferences(node, { way: note, part: note });

  return named;
};

const namesIn = (nodes: readonly GraphNode[]): readonly string[] => nodes.flatMap((node) => [...namedBy(node)]);

/** At least one of these must be named. */
const neededBy = (node: GraphNode, inside: ReadonlySet<string>): readonly string[] => {
  const without = withReferences(node, { way: (id) => (inside.has(id) ? id : undefined), part: (id) => (inside.has(id) ? id : undefined) });

  return [...namedBy(without)].filter((id) => !inside.has(id));
};

/** Adds required nodes: a map's worker, a judge's review. */
const withNeeded = (graph: Graph, ids: Iterable<string>): ReadonlySet<string> => {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const inside = new Set([...ids].filter((id) => nodes.has(id)));
  // // A Set iterates over additions too.
  for (const id of inside) {
    const node = nodes.get(id);
    if (node) for (const needed of neededBy(node, inside)) if (nodes.has(needed)) inside.add(needed);
  }

  return inside;
};

const IN_EXPRESSIONS = /\bmemory\.(?<key>[a-zA-Z][a-zA-Z0-9_]*)/g;

const rootsIn = (value: unknown): string[] => {
  if (typeof value === "string")
    return [value.split(".")[0] ?? "", ...[...value.matchAll(IN_EXPRESSIONS)].map(({ groups }) => groups?.["key"] ?? "")];

  return typeof value === "object" && value !== null ? Object.values(value).flatMap(rootsIn) : [];
};

const memoryOf = (graph: Graph, nodes: readonly GraphNode[], edges: readonly GraphEdge[]) => {
  const roots = new Set([
    ...nodes.flatMap(({ read_keys, write_keys, config, action, compensation }) =>
      rootsIn([read_keys, write_keys, config, action, compensation]),
    ),
    ...edges.flatMap(({ condition }) => rootsIn(condition)),
  ]);

  return graph.memory.filter(({ key }) => roots.has("*") || roots.has(key));
};

/** Copies nodes; null if none exists. @param origin identifies the graph */
export const copyFragment = (graph: Graph, ids: Iterable<string>, origin: string): Fragment | null => {
  const inside = withNeeded(graph, ids);
  if (inside.size === 0) return null;
  const nodes = graph.nodes.filter(({ id }) => inside.has(id));
  const edges = graph.edges.filter(({ source, target }) => inside.has(source) && inside.has(target));

  return {
    format: "countersign/fragment/v1",
    origin,
    nodes,
    edges,
    memory: memoryOf(graph, nodes, edges),
    ...(inside.has(graph.start_node) ? { start_node: graph.start_node } : {}),
    end_nodes: graph.end_nodes.filter((id) => inside.has(id)),
  };
};

const fromText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Parses a fragment or whole document; null if neither. */
export const readFragment = (text: string): Fragment | null => {
  const value = fromText(text);
  const fragment = fragmentSchema.safeParse(value);
  if (fragment.success) return fragment.data;
  const graph = graphSchema.safeParse(value);
  if (!graph.success) return null;
  const all = graph.data.nodes.map(({ id }) => id);
  const whole = copyFragment(graph.data, all, `document ${graph.data.id}`.slice(0, 64));

  return fragmentSchema.safeParse(whole).data ?? null;
};

const cornerOf = (nodes: readonly GraphNode[]): Point => ({
  x: Math.min(...nodes.map(({ position }) => position.x)),
  y: Math.min(...nodes.map(({ position }) => position.y)),
});

const freshNames = (ids: readonly string[], taken: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const known = new Set(taken);

  return new Map(
    ids.map((id) => {
      const name = known.has(id) ? generateId(id.replace(/_\d+$/, ""), known) : id;
      known.add(name);

      return [id, name];
    }),
  );
};

export const hasRoomFor = (graph: Graph, fragment: Fragment): boolean =>
  graph.nodes.length + fragment.nodes.length <= MAX.nodes &&
  graph.edges.length + fragment.edges.length <= MAX.edges &&
  graph.memory.length + fragment.memory.length <= MAX.memory &&
  graph.end_nodes.length + fragment.end_nodes.length <= MAX.end_nodes;

export type Pasted = {
  readonly edits: readonly EditOperation[];
  /** Names after pasting. */
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
  /** Memory keys added. */
  readonly memory: readonly string[];
};

/**
 * Pastes with fresh ids. References to uncopied nodes survive in the source graph only; existing memory keys win.
 * @param at upper left corner
 */
export const pasteFragment = (graph: Graph, fragment: Fragment, origin: string, at: Point): Pasted => {
  const ids = new Set(graph.nodes.map(({ id }) => id));
  const own = new Set(fragment.nodes.map(({ id }) => id));
  const named = [...namesIn(graph.nodes), ...namesIn(fragment.nodes).filter((id) => !own.has(id))];
  const names = freshNames([...own], new Set([...ids, ...named]));
  const follow = (id: string) => names.get(id) ?? (fragment.origin === origin && ids.has(id) ? id : undefined);
  const corner = cornerOf(fragment.nodes);
  const renamed = (id: string) => names.get(id) ?? id;
  const nodes = fragment.nodes.map((node): GraphNode => {
    const { x, y } = node.position;
    const moved = { ...node, id: renamed(node.id), position: { x: Math.round(x - corner.x + at.x), y: Math.round(y - corner.y + at.y) } };

    return withReferences(moved, { way: follow, part: follow });
  });
  const edgeNames = freshNames(
    fragment.edges.map(({ id }) => id),
    new Set(graph.edges.map(({ id }) => id)),
  );
  const edges = fragment.edges.map((edge) => ({
    ...edge,
    id: edgeNames.get(edge.id) ?? edge.id,
    source: renamed(edge.source),
    target: renamed(edge.target),
  }));
  const keys = new Set(graph.memory.map(({ key }) => key));
  const memory = fragment.memory.filter(({ key }) => !keys.has(key));
  const isFirst = graph.nodes.length === 0 && fragment.start_node !== undefined;

  return {
    edits: [
      ...memory.map((key): EditOperation => ({ op: "set_memory_key", key })),
      ...nodes.map((node): EditOperation => ({ op: "add_node", node })),
      ...edges.map((edge): EditOperation => ({ op: "add_edge", edge })),
      {
        op: "settings",
        settings: {
          end_nodes: [...graph.end_nodes, ...fragment.end_nodes.map(renamed)],
          ...(isFirst ? { start_node: renamed(fragment.start_node ?? "") } : {}),
        },
      },
    ],
    nodes: nodes.map(({ id }) => id),
    edges: edges.map(({ id }) => id),
    memory: memory.map(({ key }) => key),
  };
};
