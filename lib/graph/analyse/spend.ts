import type { GraphNode } from "@/lib/graph/document";
import { listSubgraphTools, spends } from "@/lib/graph/facts/children";
import { listTools, type Facts } from "@/lib/graph/facts/facts";

/** Null: unlimited. */
export type Spend = { readonly models: boolean; readonly usd: number | null; readonly tokens: number | null };

/** Returns whether model checks precede the node's effects. */
export const isChecked = (facts: Facts, node: GraphNode): boolean => {
  const { verification } = facts.graph;
  if (!verification || verification.checks.length === 0) return false;

  return [...listTools(facts, node), ...listSubgraphTools(facts, node)].some(({ effect }) =>
    verification.effects.some((one) => one === effect),
  );
};

const sum = (limits: readonly (number | undefined)[], run: number | undefined): number | null => {
  const own = limits.reduce<number>((total, limit) => total + (limit ?? Infinity), 0);
  const most = Math.min(own, run ?? Infinity);

  return Number.isFinite(most) ? most : null;
};

/** Computes the spend limit. @param nodes each once */
export const spendOf = (facts: Facts, nodes: readonly GraphNode[]): Spend => {
  const speaking = nodes.filter((node) => spends(facts, node) || isChecked(facts, node));
  const { budget_usd: usd, max_token_budget: tokens } = facts.graph;
  if (speaking.length === 0) return { models: false, usd: 0, tokens: 0 };

  return {
    models: true,
    usd: sum(
      speaking.map((node) => node.budget?.max_cost_usd),
      usd,
    ),
    tokens: sum(
      speaking.map((node) => node.budget?.max_tokens),
      tokens,
    ),
  };
};
