import type { Agent, Graph, GraphEdge, GraphNode, MemoryKey } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";
import type { Facts } from "@/lib/graph/facts/facts";
import { getKind } from "@/lib/graph/kind-of";
import { describeHidden, removeHidden } from "@/lib/sanitize/hidden";
import { describeOverride, listTextSigns, type TextSign } from "@/lib/sanitize/text-signs";
import { createProblem, type Fix, type Place, type Problem } from "./problem";

type Part = Agent | Graph | GraphEdge | GraphNode | MemoryKey;
type Signs = { readonly hidden: readonly TextSign[]; readonly instructions: readonly TextSign[]; readonly canRemove: boolean };

const mapTexts = <T>(value: T, change: (text: string) => string): T => {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change)) as T;
  if (typeof value !== "object" || value === null) return value;

  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item as unknown, change)])) as T;
};

const listHidden = (part: object) => listTextSigns(part, describeHidden);

/** Names are checked apart. */
const withoutNames = (part: Part): object => {
  if ("nodes" in part) {
    const { nodes: _nodes, edges: _edges, memory: _memory, name: _name, ...rest } = part;

    return rest;
  }
  const { title: _title, ...rest } = { title: "", ...part };

  return rest;
};

const signsOf = (part: Part): Signs => {
  const texts = withoutNames(part);
  const hidden = listHidden(texts);

  return {
    hidden,
    instructions: listTextSigns(texts, describeOverride),
    canRemove: hidden.length > 0 && listHidden(mapTexts(texts, removeHidden)).length === 0,
  };
};

const tell = (signs: readonly TextSign[], owner: string, says: string): string => {
  const [first] = signs;
  const field = first && first.place.length > 0 ? `${first.place.join(".")} of ${owner}` : `A name in ${owner}`;
  const more = signs.length > 1 ? ` ${signs.length - 1} more ${signs.length === 2 ? "text" : "texts"} of ${owner} too.` : "";

  return `${field} ${says} ${first?.text ?? ""}${more}`;
};

const problemsOf = (part: Part, place: Place, owner: string, edit: (() => EditOperation) | null): Problem[] => {
  const { hidden, instructions, canRemove } = signsOf(part);
  const fix: Fix | undefined = edit && canRemove ? { title: "Remove them", edits: [edit()] } : undefined;

  return [
    ...(hidden.length === 0 ? [] : [createProblem("hidden_in_text", place, tell(hidden, owner, "has"), fix)]),
    ...(instructions.length === 0
      ? []
      : [createProblem("instructions_in_text", place, tell(instructions, owner, "countermands a prompt or ends a message:"))]),
  ];
};

const agentsOf = ({ graph, agents }: Facts): readonly (readonly [Agent, Place])[] => {
  const used = new Map<string, Place>();
  for (const { agent_id: id } of graph.verification?.checks ?? []) used.set(id, { key: id });
  for (const node of graph.nodes) {
    for (const { id } of getKind(node).agents(node.config)) if (!used.has(id)) used.set(id, { node: node.id, key: id });
  }

  return [...used].flatMap(([id, place]) => {
    const agent = agents.get(id);

    return agent ? [[agent, place] as const] : [];
  });
};

export const findTextProblems = (facts: Facts): Problem[] => {
  const { graph } = facts;
  const { verification, external, description, inputs } = graph;

  return [
    ...problemsOf(graph, {}, "the graph", () => ({
      op: "settings",
      settings: mapTexts({ verification, external, description, inputs }, removeHidden),
    })),
    ...graph.nodes.flatMap((node) =>
      problemsOf(node, { node: node.id }, node.id, () => ({ op: "replace_node", node: mapTexts(node, removeHidden) })),
    ),
    ...graph.edges.flatMap((edge) =>
      problemsOf(edge, { edge: edge.id }, edge.id, () => ({ op: "replace_edge", edge: mapTexts(edge, removeHidden) })),
    ),
    ...graph.memory.flatMap((key) =>
      problemsOf(key, { key: key.key }, key.key, () => ({ op: "set_memory_key", key: mapTexts(key, removeHidden), replaces: key.key })),
    ),
    ...agentsOf(facts).flatMap(([agent, place]) => problemsOf(agent, place, `the agent ${agent.id}`, null)),
  ];
};
