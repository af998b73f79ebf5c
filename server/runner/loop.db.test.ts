import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { agentSchema, graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { systemClock } from "@/server/clock";
import { testInstallation } from "@/server/mcp/testing/installation";
import { useSameModels } from "@/server/models/contract";
import { scriptSchema, type Script } from "@/server/models/scripted/script";
import { createScriptModels } from "@/server/models/scripted/script-models";
import { command, openDesk, publishAs, query, type Desk } from "@/server/runner/testing/desk";
import { customersOf, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { bundleChild, runRunner } from "@/server/runner/testing/runner-process";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await bundleChild(installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const CHANGE = { customer_id: "cus_1002", plan: "team", credit_cents: 700, reason: "A credit for the outage" };

const oneLoop = (): PublishedGraph => ({
  ...desk.published,
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "one-loop",
    name: "One loop",
    memory: [{ key: "note", schema: { type: "string" } }],
    nodes: [{ id: "clerk", kind: "agent", write_keys: ["note"], config: { agent_id: "planner" } }],
    edges: [],
    start_node: "clerk",
    end_nodes: ["clerk"],
  }),
  agents: [
    agentSchema.parse({
      id: "planner",
      name: "Clerk",
      tools: [
        { server: "customers", tool: "find_customer" },
        { server: "customers", tool: "update_plan" },
      ],
    }),
  ],
});

const SCRIPT = scriptSchema.parse({
  agents: {
    planner: [
      { tool_calls: [{ name: "customers__find_customer", input: { email: "t.okafor@harborpoint.example" } }] },
      { text: "I shall grant the credit.", tool_calls: [{ name: "customers__update_plan", input: CHANGE }] },
      { text: "Done." },
    ],
  },
});

const after = (said: number): Script => ({ agents: { planner: SCRIPT.agents["planner"]?.slice(said) ?? [] } });

const atTheSend = async () => {
  const published = oneLoop();
  const here: Desk = { ...desk, published, deps: { ...desk.deps, modelsFor: useSameModels(createScriptModels(SCRIPT, systemClock)) } };
  const graphHash = await publishAs(desk, published, desk.people.builder);
  const runId = randomUUID();
  await command(here, runId, desk.people.starter, {
    kind: "start",
    graph_hash: graphHash,
    goal: "",
    constraints: [],
    inputs: {},
    model: "scripted:script",
  });
  const before = await customersOf(here);
  await drive(here, runId);

  return { here, runId, before };
};

it("an agent that fetches and then sends is stopped at the send, and resumes in another process without repeating itself", async () => {
  const { here, runId, before } = await atTheSend();

  const waiting = await readRun(here, runId);
  expect(waiting.state).toMatchObject({ status: "waiting", currentNode: "clerk" });
  expect(openGateOf(waiting.state).gate).toMatchObject({
    node: "clerk",
    reason: "tainted_effect",
    transition: { effect: { tool: "update_plan" } },
  });
  expect(Object.values(waiting.state.effects)).toMatchObject([{ effect: { tool: "find_customer" }, outcome: "ok" }]);
  expect(await customersOf(here)).toEqual(before);

  await command(here, runId, desk.people.reviewer, decisionFor(here, waiting.state, "approve"));
  expect(await runRunner({ desk, runId, leaseMs: 60_000, dieAfterRecord: null, dieAfterCall: null, script: after(2) })).toBeNull();

  const { state, records } = await readRun(here, runId);
  expect(state.status).toBe("completed");
  expect(Object.values(state.effects).map((effect) => [effect.effect.tool, effect.outcome])).toEqual([
    ["find_customer", "ok"],
    ["update_plan", "ok"],
  ]);
  const said = records.flatMap(({ record }) => record.control.filter((event) => event.type === "model_called"));
  expect(said).toMatchObject([{ step: 0 }, { step: 1 }, { step: 2 }]);
  expect(state.reservations).toEqual({});
  const epochs = new Set(records.flatMap(({ record }) => ("epoch" in record.principal ? [record.principal.epoch] : [])));
  expect(epochs).toEqual(new Set([1, 2]));
  expect((await customersOf(here)).applied).toBe(before.applied + 1);
});

it("an unanswered gate expires by itself, and the run takes its rejection path", async () => {
  const { here, runId, before } = await atTheSend();
  const expiresAt = openGateOf((await readRun(here, runId)).state).gate.expires_at;
  const [row] = await query<{ due: boolean }>(
    urls.admin,
    "select wake_at = to_timestamp($2::double precision / 1000) as due from run where id = $1",
    [runId, expiresAt],
  );
  expect(row).toEqual({ due: true });

  await drive({ ...here, deps: { ...here.deps, clock: { ...systemClock, now: () => expiresAt } } }, runId);
  const { state, records } = await readRun(here, runId);
  expect(state).toMatchObject({ status: "failed", lastError: { code: "approval_expired" } });
  expect(records.some(({ record }) => record.control.some((event) => event.type === "gate_resolved" && event.outcome === "expired"))).toBe(
    true,
  );
  expect(await customersOf(here)).toEqual(before);
});
