/** Schemas that can be used, and budgets that are set. */
import { isUsableSchema } from "@/lib/graph/json-schema";
import type { Facts } from "./facts";
import { problem, type Problem } from "./problem";

const DEFAULT_TOKENS = 200_000;

const budget = ({ graph }: Facts): Problem[] => {
  const spends = graph.nodes.some((node) => node.kind === "agent");
  if (!spends || graph.max_token_budget !== undefined || graph.budget_usd !== undefined) return [];

  return [
    problem("missing_budget", {}, "Agents spend tokens, and the graph sets no budget.", {
      title: `Limit to ${DEFAULT_TOKENS.toLocaleString("en")} tokens`,
      edits: [{ op: "settings", settings: { max_token_budget: DEFAULT_TOKENS } }],
    }),
  ];
};

export const limitProblems = (facts: Facts): Problem[] => [
  ...facts.graph.memory
    .filter((key) => !isUsableSchema(key.schema))
    .map((key) => problem("key_schema_unusable", { key: key.key }, `The schema of ${key.key} cannot be used.`)),
  ...(isUsableSchema(facts.graph.inputs) ? [] : [problem("inputs_schema_unusable", {}, "The schema of the inputs cannot be used.")]),
  ...budget(facts),
];
