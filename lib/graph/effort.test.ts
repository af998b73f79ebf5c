import { expect, test } from "vitest";
import { agentSchema } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { validateGraph } from "@/lib/graph/validate";

const GRAPH = {
  format: "countersign/graph/v1",
  id: "g",
  name: "G",
  memory: [{ key: "out", schema: {} }],
  nodes: [{ id: "n", kind: "agent", write_keys: ["out"], config: { agent_id: "a" } }],
  edges: [],
  start_node: "n",
  end_nodes: ["n"],
  max_token_budget: 1_000,
};

const warnings = (model: string, effort: "low" | undefined, providers?: ValidationContext["providers"]) => {
  const agents = [agentSchema.parse({ id: "a", name: "Ada", model, ...(effort ? { effort } : {}) })];

  return validateGraph(GRAPH, { agents, tools: [], versions: [], ...(providers ? { providers } : {}) }).filter(
    ({ code }) => code === "effort_ignored",
  );
};

test("warns of an effort that the agent's model ignores", () => {
  expect(warnings("anthropic:claude-haiku-4-5", "low")).toMatchObject([
    {
      severity: "warning",
      node: "n",
      key: "a",
      message: "anthropic:claude-haiku-4-5 has no reasoning effort to set, so Ada's effort is ignored.",
    },
  ]);
  expect(warnings("scripted:honest", "low")).toHaveLength(1);
  expect(warnings("anthropic:claude-haiku-4-5", undefined)).toEqual([]);
});

test("does not warn where the model takes one, or is not known yet", () => {
  for (const model of ["anthropic:claude-sonnet-5", "openai-compatible:llama", "default", "house:gpt-4.1"])
    expect(warnings(model, "low")).toEqual([]);
});

test("knows the workspace's own providers by their kind", () => {
  expect(warnings("house:gpt-4.1", "low", { house: "openai" })).toHaveLength(1);
  expect(warnings("house:gpt-5.4", "low", { house: "openai" })).toEqual([]);
  expect(warnings("house:x", "low", { house: "openai-compatible" })).toEqual([]);
  expect(warnings("toString:x", "low", {})).toEqual([]);
});
