import { EventEmitter, once } from "node:events";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { child, inARow, using, version } from "@/lib/engine/testing/kinds";
import type { GraphInput, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { systemClock } from "@/server/clock";
import type { McpService } from "@/server/mcp/service";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { listen, oldServer } from "@/server/mcp/testing/http-server";
import { testInstallation } from "@/server/mcp/testing/installation";
import { reviewAndActivate } from "@/server/mcp/testing/registered";
import { driveRun } from "@/server/runner/drive";
import { command, openDesk, publishAs, type Desk } from "@/server/runner/testing/desk";
import { readRun, refusalCodes } from "@/server/runner/testing/run";
import { addMcpServer, listPinnedTools, setMcpLabels } from "@/server/store/mcp/servers";
import { testDatabase } from "@/server/testing/database";

type Arrived = { readonly id: unknown; answer(): void };

const requestSchema = z.object({
  id: z.number().or(z.string()).optional(),
  method: z.string(),
  params: z.looseObject({ requestId: z.unknown().optional() }).optional(),
});
const world = new EventEmitter();
const honest = oldServer([]);
const origin = await listen((body, response) => {
  const asked = body === "" ? null : requestSchema.parse(JSON.parse(body));
  if (asked?.method === "notifications/cancelled") world.emit("cancelled", asked.params?.requestId);
  if (asked?.method === "tools/call") {
    const answer = { jsonrpc: "2.0", id: asked.id, result: { content: [{ type: "text", text: "too late" }] } };
    const arrived: Arrived = {
      id: asked.id,
      answer: () => void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer)),
    };
    world.emit("call", arrived);
  } else {
    honest(body, response);
  }
});

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let mcp: McpService;
let tools: readonly PinnedTool[];

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  mcp = createLocalMcp({ clock: systemClock, installation, egress: { allowOrigins: [origin] } });
  const id = "slow";
  await addMcpServer(desk.workspace, { id, name: id, transport: { type: "http", url: `${origin}/mcp` } }, mcp.egress);
  await mcp.inspect(desk.workspace, id);
  const { revision } = await reviewAndActivate(desk.workspace, id, mcp, ["node"]);
  const labels = { effect: "read", idempotent: true, output: "internal", outward: false, clearance: "internal" } as const;
  await setMcpLabels(desk.workspace, id, revision, { echo: labels });
  tools = (await listPinnedTools(desk.workspace)).filter(({ server }) => server === id);
}, 120_000);
afterAll(async () => {
  await mcp.close();
  await desk.mcp.close();
});

type NodeInput = GraphInput["nodes"][number];

const slow = (id: string): NodeInput => ({
  id,
  kind: "tool",
  write_keys: ["out"],
  config: { server: "slow", tool: "echo", arguments: {}, write_to: "out" },
});
const after: NodeInput = { id: "after", kind: "transform", write_keys: ["note"], config: { set: [{ path: "note", value: "1" }] } };

const PLACES: Record<string, { readonly version: () => PublishedGraph; readonly frames: readonly string[]; readonly task: string }> = {
  "inside a subgraph of a subgraph": {
    version: () => {
      const inner = child("b", version([slow("call"), after], {}, { tools }));
      const middle = child("a", version([using("below", "b", { outputs: { out: "out" } }, { write_keys: ["out"] }), after]));

      return version([using("sub", "a", { outputs: { out: "out" } }, { write_keys: ["out"] }), after], {}, { subgraphs: [middle, inner] });
    },
    frames: ["sub", "below"],
    task: "",
  },
  "in an item of a map": {
    version: () => {
      const config = { worker_node: "worker", items: { value: [1, 2, 3] }, max_concurrency: 1 };
      const nodes: NodeInput[] = [{ id: "map", kind: "map", write_keys: ["out"], config }, after, slow("worker")];

      return version(nodes, { edges: inARow("map", "after"), end_nodes: ["after"] }, { tools });
    },
    frames: [],
    task: "item.0",
  },
};

const underWay = async (published: PublishedGraph, deaf: boolean) => {
  const graphHash = await publishAs(desk, published, desk.people.builder);
  const runId = randomUUID();
  const signals: AbortSignal[] = [];
  const wakes: (() => void)[] = [];
  const call: McpService["call"] = (asked, signal) => {
    signals.push(signal);

    return mcp.call(asked, deaf ? AbortSignal.timeout(15_000) : signal);
  };
  const deps = { ...desk.deps, mcp: { ...mcp, call } };
  await command(desk, runId, desk.people.starter, {
    kind: "start",
    graph_hash: graphHash,
    goal: "",
    constraints: [],
    inputs: {},
    model: "scripted:honest",
  });
  const arrived = once(world, "call");
  const driven = driveRun(deps, { onWake: (_run, wake) => (wakes.push(wake), () => undefined) }, desk.workspace, runId);
  const [atServer] = (await arrived) as [Arrived];

  return {
    runId,
    driven,
    atServer,
    signals,
    cancel: async () => {
      await command(desk, runId, desk.people.starter, { kind: "cancel" });
      for (const wake of wakes) wake();
      await driven;
    },
  };
};

test.each(Object.entries(PLACES))("cycgraph: a cancel reaches the tool call %s, and its server is told", async (_where, place) => {
  const { runId, atServer, signals, cancel } = await underWay(place.version(), false);
  const { state } = await readRun(desk, runId);
  expect(state.frames.map(({ node }) => node)).toEqual(place.frames);
  expect(Object.values(state.effects)).toMatchObject([{ task: place.task, outcome: null }]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);

  const told = once(world, "cancelled");
  await cancel();
  expect(await told).toEqual([atServer.id]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  const ended = await readRun(desk, runId);
  expect(ended.state).toMatchObject({ status: "cancelled", currentNode: null, frames: [] });
  expect(ended.state.cells).toEqual([]);
});

test.each(Object.entries(PLACES))(
  "cycgraph: what a cancelled call %s still answers is recorded as too late, and changes nothing",
  async (_where, place) => {
    const { runId, atServer, signals, cancel } = await underWay(place.version(), true);
    await cancel();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const before = await readRun(desk, runId);
    expect(before.state.status).toBe("cancelled");

    atServer.answer();
    await vi.waitFor(async () => expect((await readRun(desk, runId)).records.length).toBeGreaterThan(before.records.length), {
      timeout: 10_000,
    });
    const { state, records } = await readRun(desk, runId);
    expect(refusalCodes(records)).toEqual(["late_result"]);
    expect(state.status).toBe("cancelled");
    expect([state.cells, state.aside, state.effects]).toEqual([before.state.cells, before.state.aside, before.state.effects]);
    expect(signals).toHaveLength(1);
  },
);
