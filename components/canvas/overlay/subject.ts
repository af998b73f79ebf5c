/** Compromised subject in the URL. */
import type { Subject } from "@/lib/graph/analyse/blast";
import type { NameOf } from "@/lib/graph/analyse/labels";
import type { Graph } from "@/lib/graph/document";
import { callsTool, runsGraph } from "@/lib/graph/kind-of";
import { findChild } from "@/lib/graph/facts/children";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { listAllAgentIds } from "@/lib/graph/refs";

const CALLER = "caller";

export const describeSubject = (subject: Subject): string => {
  if ("node" in subject) return `node:${subject.node}`;
  if ("agent" in subject) return `agent:${subject.agent}`;

  return "server" in subject ? `server:${subject.server}` : CALLER;
};

const READ: Readonly<Record<string, (id: string) => Subject>> = {
  node: (node) => ({ node }),
  agent: (agent) => ({ agent }),
  server: (server) => ({ server }),
};

/** @returns null for invalid text */
export const readSubject = (text: string): Subject | null => {
  if (text === CALLER) return { caller: true };
  const [type = "", ...rest] = text.split(":");
  const id = rest.join(":");

  return id !== "" && Object.hasOwn(READ, type) ? (READ[type]?.(id) ?? null) : null;
};

export type Choice = { readonly value: string; readonly label: string };

/** Includes nested subgraphs. */
const graphsIn = (graph: Graph, catalog: ValidationContext): readonly Graph[] => {
  const children = graph.nodes.flatMap((node) => (runsGraph(node) ? (findChild(catalog, node)?.published ?? []) : []));

  return [graph, ...children.flatMap((child) => [child.graph, ...child.subgraphs.map((inner) => inner.graph)])];
};

const used = (graph: Graph, catalog: ValidationContext) => {
  const graphs = graphsIn(graph, catalog);
  const ids = new Set(graphs.flatMap(listAllAgentIds));
  const here = catalog.agents.filter(({ id }) => ids.has(id));
  const called = graphs.flatMap(({ nodes }) => nodes.flatMap((node) => (callsTool(node) ? [node.config.server] : [])));
  const servers = new Set([...called, ...here.flatMap((agent) => agent.tools.map(({ server }) => server))]);

  return { agents: here, servers: [...servers].filter((server) => catalog.tools.some((tool) => tool.server === server)) };
};

export const listChoices = (graph: Graph, catalog: ValidationContext, nameOf: NameOf): readonly Choice[] => {
  const { agents, servers } = used(graph, catalog);

  return [
    { value: CALLER, label: graph.external ? "Outside caller" : "Person who starts the run" },
    ...agents.map(({ id, name }) => ({ value: describeSubject({ agent: id }), label: `Agent ${name}` })),
    ...servers.map((server) => ({ value: describeSubject({ server }), label: `Server ${server}` })),
    ...graph.nodes.map(({ id }) => ({ value: describeSubject({ node: id }), label: `Node ${nameOf(id)}` })),
  ];
};
