import { expect, test } from "vitest";
import { agentSchema } from "@/lib/graph/document";
import { toDraft, fromDraft } from "./agent-draft";

const agent = agentSchema.parse({
  id: "planner",
  name: "Planner",
  system_prompt: "Plan.",
  permissions: { read_keys: ["request", "customer.plan"], write_keys: [] },
  tools: [{ server: "customers", tool: "find_customer" }],
  timeout_ms: 5_000,
});

test("saving an unchanged draft keeps the agent", () => {
  expect(agentSchema.parse(fromDraft(toDraft(agent)))).toEqual(agent);
});

test("an empty limit of a new agent limits nothing, and an existing empty limit is kept", () => {
  expect(fromDraft({ ...toDraft(null), id: "a", name: "A" }).permissions).toEqual({});
  expect(fromDraft(toDraft(agent)).permissions?.write_keys).toEqual([]);
});

test("invalid drafts fail validation", () => {
  expect(agentSchema.safeParse(fromDraft({ ...toDraft(agent), reads: "not a path" })).success).toBe(false);
  expect(agentSchema.safeParse(fromDraft({ ...toDraft(agent), maxSteps: "many" })).success).toBe(false);
});
