import { compileExpression } from "@/lib/graph/condition";
import type { Agent, Graph, PublishedGraph } from "@/lib/graph/document";
import { listExpressions } from "@/lib/graph/facts/access";
import { oncePer } from "@/lib/once-per";

const listOfGraph = ({ edges, nodes }: Graph): readonly string[] => {
  const conditions = edges.flatMap(({ kind, condition = "" }) => (kind === "normal" && condition !== "" ? [condition] : []));
  const texts = [...conditions, ...nodes.flatMap((node) => listExpressions(node).map(({ text }) => text))];

  return texts.flatMap((text) => {
    const compiled = compileExpression(text);

    return compiled.ok ? compiled.value.variables : [];
  });
};

/** Of tools and triggers. */
export const listServers = ({ graph, tools, subgraphs }: PublishedGraph): readonly string[] => [
  ...new Set([
    ...[...tools, ...subgraphs.flatMap((sub) => sub.tools)].map(({ server }) => server),
    ...(graph.triggers ?? []).flatMap((trigger) => (trigger.kind === "mcp_resource" ? [trigger.server] : [])),
  ]),
];

export const listAgentModels = (agents: readonly Pick<Agent, "model" | "fallback">[]): readonly string[] => [
  ...new Set(agents.flatMap(({ model, fallback = model }) => [model, fallback])),
];

/** @param chosen for the run, or null */
export const listVersionModels = ({ agents, subgraphs }: PublishedGraph, chosen: string | null): readonly string[] =>
  listAgentModels([...agents, ...subgraphs.flatMap((sub) => sub.agents)]).flatMap((model) =>
    model === "default" ? (chosen ?? []) : model,
  );

/** Lists names after `env.`, at any depth. */
export const listVariables = oncePer(({ graph, subgraphs }: PublishedGraph): readonly string[] =>
  [...new Set([graph, ...subgraphs.map((sub) => sub.graph)].flatMap(listOfGraph))].toSorted(),
);
