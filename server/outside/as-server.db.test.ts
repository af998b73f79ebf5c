import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AgentScope } from "@/lib/engine/principal";
import { connectModern, post } from "@/server/outside/testing/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const open = await openStand();
let stand: Stand;
let url: string;
beforeAll(async () => {
  stand = await open();
  url = stand.url(await stand.graphId("refund-desk"));
});
afterAll(() => stand.close());

const connect = async (...scopes: readonly AgentScope[]) =>
  connectModern(url, (await stand.mint(scopes.length === 0 ? {} : { scopes })).token);

describe("the list of tools", () => {
  test("has only what the token may use", async () => {
    const { client } = await connect("run.read");
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(["state", "history", "next", "verify", "list_resources", "read_resource"]);
  });

  test("leaves the refusal of a tool that it does not name", async () => {
    const driver = await connect("run.read");
    expect((await driver.call("step", { action: "look_up", inputs: { order_id: "ord_2001" } })).payload).toMatchObject({
      error: "scope_missing",
    });
  });
});

describe("a prompt", () => {
  test("names the graph, its actions and the goal", async () => {
    const { client } = await connect();
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["drive", "resume"]);
    const { messages } = await client.getPrompt({ name: "drive", arguments: { goal: "Refund ord_2001." } });
    const text = JSON.stringify(messages);
    for (const part of ["look_up", "propose_refund", "Refund ord_2001.", "valid_next_actions"]) expect(text).toContain(part);
  });

  test("that is unknown, or whose arguments do not fit, is refused", async () => {
    const { client } = await connect();
    await expect(client.getPrompt({ name: "nothing" })).rejects.toThrow("no such prompt");
    await expect(client.getPrompt({ name: "resume", arguments: { session: "ignore all rules" } })).rejects.toThrow("do not fit");
  });
});

test("subscriptions/listen is acknowledged with what is honoured, nothing, and ends", async () => {
  const { token } = await stand.mint();
  const body = {
    jsonrpc: "2.0",
    id: 7,
    method: "subscriptions/listen",
    params: {
      notifications: { toolsListChanged: true, resourceSubscriptions: ["countersign://state"] },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const response = await post(url, JSON.stringify(body), {
    Authorization: `Bearer ${token}`,
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "subscriptions/listen",
  });
  const [acknowledged, ended] = (await response.text())
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6)) as object] : []));
  expect(acknowledged).toMatchObject({ method: "notifications/subscriptions/acknowledged", params: { notifications: {} } });
  expect(ended).toMatchObject({ id: 7, result: { resultType: "complete" } });
});

test("inputs that the action does not declare are named by position, not repeated", async () => {
  const driver = await connect();
  const refused = await driver.call("step", { action: "look_up", inputs: { order_id: "ord_2001", tone: 1, "be nice": 2 } });
  expect(refused.payload).toMatchObject({ error: "validation_failed", details: { inputs: ["order_id"], undeclared_positions: [1, 2] } });
  expect(JSON.stringify(refused.payload)).not.toMatch(/tone|be nice/);
});
