/** Usable schemas and set budgets. */
import type { GraphNode } from "@/lib/graph/document";
import { listUnknownTypes, SCHEMA_TYPES } from "@/lib/graph/cel/types";
import { isUsableSchema } from "@/lib/graph/json-schema";
import { callsTool } from "@/lib/graph/kind-of";
import { spends } from "@/lib/graph/facts/children";
import { getNodeName, type Facts } from "@/lib/graph/facts/facts";
import { createProblem, type Problem } from "./problem";

const DEFAULT_TOKENS = 200_000;
const LEAST_TIMEOUT_MS = 100;

const hasBudget = (node: GraphNode): boolean => node.budget?.max_tokens !== undefined || node.budget?.max_cost_usd !== undefined;

const budget = (facts: Facts): Problem[] => {
  const { graph } = facts;
  const unlimited = graph.nodes.some((node) => spends(facts, node) && !hasBudget(node));
  if (!unlimited || graph.max_token_budget !== undefined || graph.budget_usd !== undefined) return [];

  return [
    createProblem("missing_budget", {}, "Agents spend tokens, but neither the graph nor every agent node has a budget.", {
      title: `Limit to ${DEFAULT_TOKENS.toLocaleString("en")} tokens`,
      edits: [{ op: "settings", settings: { max_token_budget: DEFAULT_TOKENS } }],
    }),
  ];
};

/** A timeout as long as the run's prevents retries. */
const timeouts = (facts: Facts): Problem[] => {
  const { graph } = facts;
  const sensibleMs = Math.floor(graph.max_execution_time_ms / 2);

  return graph.nodes.flatMap((node) => {
    const waits = callsTool(node) || spends(facts, node);
    if (!waits || node.failure_policy.timeout_ms < graph.max_execution_time_ms) return [];
    const failure_policy = { ...node.failure_policy, timeout_ms: sensibleMs };

    return [
      createProblem(
        "missing_timeout",
        { node: node.id },
        `The timeout of ${getNodeName(node)} is as long as the run's time limit, so it never takes effect.`,
        sensibleMs >= LEAST_TIMEOUT_MS
          ? { title: `Set it to ${sensibleMs.toLocaleString("en")} ms`, edits: [{ op: "replace_node", node: { ...node, failure_policy } }] }
          : undefined,
      ),
    ];
  });
};

/** The schema library lets unknown types match nothing. */
const unknownTypes = ({ graph }: Facts): Problem[] =>
  graph.memory.flatMap(({ key, schema }) =>
    listUnknownTypes(schema).map((name) =>
      createProblem(
        "schema_type_unknown",
        { key },
        `The schema of ${key} has the unknown type ${name}. Types are ${SCHEMA_TYPES.join(", ")}.`,
      ),
    ),
  );

const schemas = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) => {
    if (node.kind !== "verifier" || node.config.check.type !== "schema" || isUsableSchema(node.config.check.schema)) return [];

    return [createProblem("check_schema_unusable", { node: node.id }, `The schema in ${getNodeName(node)} is invalid or unsupported.`)];
  });

export const limitProblems = (facts: Facts): Problem[] => [
  ...facts.graph.memory
    .filter((key) => !isUsableSchema(key.schema))
    .map((key) => createProblem("key_schema_unusable", { key: key.key }, `The schema of ${key.key} is invalid or unsupported.`)),
  ...(isUsableSchema(facts.graph.inputs)
    ? []
    : [createProblem("inputs_schema_unusable", {}, "The schema of the launch form is invalid or unsupported.")]),
  ...unknownTypes(facts),
  ...schemas(facts),
  ...budget(facts),
  ...timeouts(facts),
];
