import { expect, test } from "vitest";
import { agentSchema } from "@/lib/graph/document";
import { addPath, toDraft, fromDraft, suggestDraft, suggestId } from "./agent-draft";

const agent = agentSchema.parse({
  id: "planner",
  name: "Planner",
  system_prompt: "Plan.",
  permissions: { read_keys: ["request", "customer.plan"], write_keys: [] },
  tools: [{ server: "customers", tool: "find_customer" }],
  timeout_ms: 5_000,
  fallback: "openai:gpt-5.4",
  effort: "high",
});

test("saving an unchanged draft keeps the agent", () => {
  expect(agentSchema.parse(fromDraft(toDraft(agent)))).toEqual(agent);
});

test("an effort and a fallback can be taken back", () => {
  const draft = fromDraft({ ...toDraft(agent), effort: null, fallback: null });
  expect(draft).not.toHaveProperty("effort");
  expect(draft).not.toHaveProperty("fallback");
});

test("an empty limit of a new agent limits nothing, and an existing empty limit is kept", () => {
  expect(fromDraft({ ...toDraft(null), id: "a", name: "A" }).permissions).toEqual({});
  expect(fromDraft(toDraft(agent)).permissions?.write_keys).toEqual([]);
});

test("invalid drafts fail validation", () => {
  expect(agentSchema.safeParse(fromDraft({ ...toDraft(agent), reads: "not a path" })).success).toBe(false);
  expect(agentSchema.safeParse(fromDraft({ ...toDraft(agent), maxSteps: "many" })).success).toBe(false);
});

test("a new agent has a name and a free id, so that it can be saved as it is", () => {
  const draft = suggestDraft("Refunds, 2026 agent", ["refunds_2026_agent"]);
  expect(draft).toMatchObject({ name: "Refunds, 2026 agent", id: "refunds_2026_agent_2" });
  expect(agentSchema.safeParse(fromDraft(draft)).success).toBe(true);
  expect(suggestId("2026", [])).toBe("");
});

test("a path is added to a limit, also to one that allows nothing, and not where there is no limit", () => {
  const added = addPath(toDraft(agent), { side: "write_keys", path: "change" });
  expect(agentSchema.parse(fromDraft(added)).permissions).toEqual({ read_keys: ["request", "customer.plan"], write_keys: ["change"] });
  const free = toDraft(agentSchema.parse({ id: "free", name: "Free" }));
  expect(addPath(free, { side: "read_keys", path: "change" })).toBe(free);
});
