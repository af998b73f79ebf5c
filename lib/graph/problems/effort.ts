import type { Facts } from "@/lib/graph/facts/facts";
import { listAgentIds } from "@/lib/graph/refs";
import { takesEffort } from "@/lib/model-effort";
import { getProvider, isScripted, ownNameOf, PROVIDER_KINDS, type ProviderKind } from "@/lib/model-provider";
import { createProblem, type Problem } from "./problem";

/** The installation's providers are named by their kind. */
const getKindOf = ({ providers }: Facts, model: string): ProviderKind | undefined => {
  const id = getProvider(model);

  return PROVIDER_KINDS.find((kind) => kind === id) ?? (Object.hasOwn(providers, id) ? providers[id] : undefined);
};

const isIgnored = (facts: Facts, model: string): boolean => {
  const kind = getKindOf(facts, model);

  return isScripted(model) || (kind !== undefined && !takesEffort(kind, ownNameOf(model)));
};

export const findEffortProblems = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) =>
    listAgentIds(node).flatMap((id) => {
      const agent = facts.agents.get(id);
      if (agent?.effort === undefined || !isIgnored(facts, agent.model)) return [];
      const what = `${agent.model} has no reasoning effort to set, so ${agent.name}'s effort is ignored.`;

      return [createProblem("effort_ignored", { node: node.id, key: id }, what)];
    }),
  );
