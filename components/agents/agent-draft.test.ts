import { expect, test } from "vitest";
import { agentSchema } from "@/lib/graph/document";
import { draftOf, ofDraft } from "./agent-draft";

const agent = agentSchema.parse({
  id: "planner",
  name: "Planner",
  system_prompt: "Plan.",
  permissions: { read_keys: ["request", "customer.plan"], write_keys: [] },
  tools: [{ server: "customers", tool: "find_customer" }],
  timeout_ms: 5_000,
});

test("saving an unchanged draft keeps the agent", () => {
  expect(agentSchema.parse(ofDraft(draftOf(agent)))).toEqual(agent);
});

test("an empty limit of a new agent limits nothing, and an existing empty limit is kept", () => {
  expect(ofDraft({ ...draftOf(null), id: "a", name: "A" }).permissions).toEqual({});
  expect(ofDraft(draftOf(agent)).permissions?.write_keys).toEqual([]);
});

test("invalid drafts fail validation", () => {
  expect(agentSchema.safeParse(ofDraft({ ...draftOf(agent), reads: "not a path" })).success).toBe(false);
  expect(agentSchema.safeParse(ofDraft({ ...draftOf(agent), maxSteps: "many" })).success).toBe(false);
});
