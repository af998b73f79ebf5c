import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { agentSchema } from "@/lib/graph/document";
import { listAgents, saveAgent } from "@/server/store/agents/agents";
import { testDatabase } from "@/server/testing/database";

await testDatabase("web");
const workspace = randomUUID();
const named = (name: string) => agentSchema.parse({ id: "parser", name });

test("an agent is created once and changed only at its newest revision", async () => {
  expect(await saveAgent(workspace, named("Parser"), null)).toBe(1);
  expect(await saveAgent(workspace, named("Another"), null)).toBeNull();
  const saves = await Promise.all(["a", "b", "c"].map((name) => saveAgent(workspace, named(name), 1)));
  expect(saves.filter((revision) => revision === 2)).toHaveLength(1);
  const rows = await listAgents(workspace);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ revision: 2, agent: { id: "parser" } });
});

test("another workspace sees none of it", async () => {
  expect(await listAgents(randomUUID())).toEqual([]);
});
