import { expect, test } from "vitest";
import { agentSchema, graphSchema } from "@/lib/graph/document";
import { isGranted, parsePath } from "@/lib/graph/path";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { SUPPORT_DESK_GRAPH } from "@/server/seed/support-desk/graph";
import { DEMO_MAILS, HOSTILE_MAIL } from "@/server/seed/support-desk/inbox";

const graph = graphSchema.parse(SUPPORT_DESK_GRAPH);
const agents = SUPPORT_DESK_AGENTS.map((agent) => agentSchema.parse(agent));

test("every node's grants are within its agent's ceiling", () => {
  for (const node of graph.nodes) {
    if (node.kind !== "agent") continue;
    const agent = agents.find((one) => one.id === node.config.agent_id);
    expect(node.read_keys.filter((grant) => !isGranted(agent?.permissions.read_keys ?? [], parsePath(grant) ?? []))).toEqual([]);
    expect(node.write_keys.filter((grant) => !isGranted(agent?.permissions.write_keys ?? [], parsePath(grant) ?? []))).toEqual([]);
  }
});

test("no support desk node may write a protected key", () => {
  const isProtected = graph.memory.filter((key) => key.protected).map((key) => [key.key]);
  expect(isProtected).toHaveLength(2);
  for (const node of graph.nodes) for (const path of isProtected) expect(isGranted(node.write_keys, path)).toBe(false);
});

test("every path to the write leads through the approval", () => {
  const before = graph.edges.filter((edge) => edge.target === "write_change").map((edge) => edge.source);
  expect(before).toEqual(["approve_change"]);
});

test("the hostile mail hides text from people", () => {
  expect(Object.keys(DEMO_MAILS).length).toBeGreaterThanOrEqual(6);
  expect(DEMO_MAILS[HOSTILE_MAIL]).toMatch(/[\u{E0020}-\u{E007E}]/u);
  expect(DEMO_MAILS[HOSTILE_MAIL]).toContain("\u200b");
});
