import type { Graph, GraphEdge, GraphNode, MemoryKey } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";

export type Hit = {
  readonly type: "node" | "edge" | "key";
  readonly id: string;
  readonly name: string;
  /** Field with the text: `id`, `instructions`, `condition`. */
  readonly where: string;
  readonly excerpt: string;
};

type Field = { readonly where: string; readonly text: string };

const AROUND = 24;

const excerptOf = (text: string, at: number, length: number): string => {
  const start = Math.max(0, at - AROUND);
  const end = Math.min(text.length, at + length + AROUND);

  return `${start > 0 ? "…" : ""}${text.slice(start, end).replaceAll(/\s+/g, " ")}${end < text.length ? "…" : ""}`;
};

const textsIn = (value: unknown, where: string): Field[] => {
  if (typeof value === "string") return [{ where, text: value }];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, where));

  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, item]) => textsIn(item, name.replaceAll("_", " ")))
    : [];
};

const fieldsOfNode = (node: GraphNode): Field[] => [
  { where: "title", text: node.title },
  { where: "id", text: node.id },
  { where: "kind", text: NODE_KINDS[node.kind].title },
  ...textsIn(node.config, "configuration"),
  ...textsIn(node.read_keys, "reads"),
  ...textsIn(node.write_keys, "writes"),
  ...textsIn(node.action, "action"),
  ...textsIn(node.compensation, "undo"),
];

const fieldsOfEdge = (edge: GraphEdge): Field[] => [
  { where: "condition", text: edge.condition ?? "" },
  { where: "id", text: edge.id },
];

const fieldsOfKey = (key: MemoryKey): Field[] => [
  { where: "memory", text: key.key },
  { where: "description", text: key.description },
];

/** Finds one hit per node, edge and memory key, nodes first. */
export const findInGraph = (graph: Graph, text: string): readonly Hit[] => {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const hit = (found: Pick<Hit, "type" | "id" | "name">, fields: readonly Field[]): Hit[] => {
    const field = fields.find((each) => each.text.toLowerCase().includes(wanted));

    return field
      ? [{ ...found, where: field.where, excerpt: excerptOf(field.text, field.text.toLowerCase().indexOf(wanted), wanted.length) }]
      : [];
  };

  return [
    ...graph.nodes.flatMap((node) =>
      hit({ type: "node", id: node.id, name: node.title === "" ? node.id : node.title }, fieldsOfNode(node)),
    ),
    ...graph.edges.flatMap((edge) => hit({ type: "edge", id: edge.id, name: `${edge.source} → ${edge.target}` }, fieldsOfEdge(edge))),
    ...graph.memory.flatMap((key) => hit({ type: "key", id: key.key, name: key.key }, fieldsOfKey(key))),
  ];
};
