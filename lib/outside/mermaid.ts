import type { Graph } from "@/lib/graph/document";
import { listTransitions, type Transition } from "@/lib/outside/transitions";

/** Mermaid reads entities, and `#` begins one. */
const textOf = (text: string): string =>
  text
    .replaceAll(/[#";]/gu, (character) => `#${character.charCodeAt(0)};`)
    .replaceAll(/\s+/gu, " ")
    .trim();

const SAID = {
  normal: "",
  default: "otherwise",
  error: "when it fails",
  timeout: "when it takes too long",
  declared: "when it is chosen",
} as const;

const labelOf = ({ kind, condition }: Transition): string => {
  const said = condition === null ? SAID[kind] : textOf(condition);

  return said === "" ? "" : ` : ${said}`;
};

/** Returns a stateDiagram-v2; ids may be invalid in Mermaid. */
export const toMermaid = (graph: Graph): string => {
  const names = new Map(graph.nodes.map(({ id }, index) => [id, `n${index}`]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const states = graph.nodes.map(({ id, title }) => `  state "${id}${title === "" ? "" : ` (${textOf(title)})`}" as ${nameOf(id)}`);
  const ways = listTransitions(graph).map((way) => `  ${nameOf(way.from)} --> ${nameOf(way.to)}${labelOf(way)}`);
  const start = names.has(graph.start_node) ? [`  [*] --> ${nameOf(graph.start_node)}`] : [];
  const ends = graph.end_nodes.filter((id) => names.has(id)).map((id) => `  ${nameOf(id)} --> [*]`);

  return ["stateDiagram-v2", ...states, ...start, ...ways, ...ends, ""].join("\n");
};
