import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { version } from "@/lib/engine/testing/kinds";
import type { RegistryCommandInput } from "@/lib/mcp/registry-command";
import { systemClock } from "@/server/clock";
import { applyRegistryCommand } from "@/server/mcp/registry";
import type { McpService } from "@/server/mcp/service";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { ALL_CHANGES, CHANGES, changingServer, HONEST } from "@/server/mcp/testing/changing-server";
import { testInstallation } from "@/server/mcp/testing/installation";
import { serverRow } from "@/server/mcp/testing/registered";
import { createMcpStepRecorder } from "@/server/runner/mcp-record";
import { command, openDesk, publishAs, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { listGatedRuns } from "@/server/store/ledger/run-heads";
import { listPinnedTools } from "@/server/store/mcp/servers";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { toServerView } from "@/server/trpc/routers/mcp/view";

const ID = "changing";
const urls = await testDatabase("runner");
const installation = await testInstallation();
const world = await changingServer();
let base: Desk;
let desk: Desk;
let mcp: McpService;
let graphHash: string;

type Step = RegistryCommandInput extends infer C
  ? C extends { revision: number; id: string }
    ? Omit<C, "revision" | "id">
    : never
  : never;
const row = () => serverRow(desk.workspace, ID, mcp);
const apply = (asked: RegistryCommandInput) =>
  applyRegistryCommand(mcp, desk.workspace, { type: "user", id: desk.people.admin, role: "admin", auditor: false }, asked);
const step = async (asked: Step): Promise<void> => {
  const { revision } = await row();
  expect(await apply({ ...asked, id: ID, revision })).toMatchObject({ ok: true });
};
const review = async (): Promise<void> => {
  const { tools } = await row();
  await step({ type: "pin", expect: Object.fromEntries(tools.flatMap((tool) => (tool.seenDigest ? [[tool.name, tool.seenDigest]] : []))) });
  await step({ type: "activate" });
};
const become = async (said: Parameters<typeof world.say>[0]): Promise<void> => {
  world.say(said);
  await mcp.evict(desk.workspace, ID);
};

beforeAll(async () => {
  base = await openDesk(urls, installation);
  mcp = createLocalMcp({
    clock: systemClock,
    authority: base.deps.authority,
    installation,
    egress: { allowOrigins: [world.origin] },
    record: createMcpStepRecorder(base.deps),
  });
  desk = { ...base, deps: { ...base.deps, mcp } };
  await apply({ type: "add", id: ID, name: ID, transport: { type: "http", url: `${world.origin}/mcp` } });
  await step({ type: "inspect" });
  await step({ type: "set_allowed_agents", agents: ["node"] });
  await review();
  const tools = (await listPinnedTools(desk.workspace)).filter(({ server }) => server === ID);
  const config = { server: ID, tool: "echo", arguments: {}, write_to: "out" };
  const published = version([{ id: "call", kind: "tool", write_keys: ["out"], config }], {}, { tools });
  desk = { ...desk, published };
  graphHash = await publishAs(desk, published, desk.people.builder);
}, 120_000);
afterAll(async () => {
  await mcp.close();
  await base.mcp.close();
});
beforeEach(async () => {
  await become(HONEST);
});

const waitingRun = async () => {
  const run = randomUUID();
  await command(desk, run, desk.people.starter, {
    kind: "start",
    graph_hash: graphHash,
    goal: "Say it",
    constraints: [],
    inputs: { topic: "x" },
    model: "scripted:honest",
  });
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  const { gate } = openGateOf(state);
  expect(gate.transition.effect).toMatchObject({ server: ID, tool: "echo" });

  return { run, gate, old: decisionFor(desk, state, "approve") };
};
const standingOf = async (run: string) => {
  const { state } = await readRun(desk, run);

  return { status: state.status, gates: Object.values(state.gates).map(({ status }) => status) };
};
const VOID = { status: "waiting", gates: ["void"] };

describe("a drifted server", () => {
  it.each(ALL_CHANGES)(
    "(%s) is suspended before its next call, the pending approval is void, and it is asked again once restored",
    async (change) => {
      const { run, gate, old } = await waitingRun();
      const calls = world.called();
      await become(CHANGES[change]);
      expect((await ask(desk, run, desk.people.reviewer, old)).refusal).not.toBeNull();
      expect((await row()).status).toBe("drifted");
      expect(await standingOf(run)).toEqual(VOID);

      const view = toServerView(await row(), "admin");
      const drift = [...view.tools.flatMap(({ name, drift: kind }) => (kind ? [`${name} ${kind}`] : [])), ...view.identityDrift];
      expect(drift).toEqual(
        {
          description: ["echo changed"],
          widened: ["echo changed"],
          renamed: ["echo removed", "echo2 added"],
          added: ["more added"],
          removed: ["echo removed"],
          "another version": ["version"],
          "another name": ["name"],
        }[change],
      );
      expect((await ask(desk, run, desk.people.reviewer, old)).refusal?.code).toBe("approval_closed");
      expect(world.called()).toBe(calls);

      await become(HONEST);
      await apply({ type: "inspect", id: ID, revision: (await serverRow(desk.workspace, ID, mcp)).revision });
      await review();
      await drive(desk, run);
      const { state } = await readRun(desk, run);
      expect(openGateOf(state).gate).toMatchObject({ supersedes: gate.id });
      expect((await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"))).refusal).toBeNull();
      expect(world.called()).toBe(calls + 1);
    },
  );
});

describe("a person who suspends a server or a tool", () => {
  it.each([
    ["suspends the server", { type: "suspend" }, { type: "resume" }],
    ["switches the tool off", { type: "block_tool", tool: "echo" }, { type: "unblock_tool", tool: "echo" }],
  ] as const)("%s: the approval is void until restored, and affected runs are found without a notification", async (_name, out, back) => {
    const { run, gate, old } = await waitingRun();
    const calls = world.called();
    const found = async () => (await listGatedRuns(100)).some(({ runId }) => runId === run);
    expect(await found()).toBe(false);
    await step(out);
    expect(await found()).toBe(true);
    await drive(desk, run);
    expect(await standingOf(run)).toEqual(VOID);
    expect(await found()).toBe(false);
    expect((await ask(desk, run, desk.people.reviewer, old)).refusal?.code).toBe("approval_closed");

    const impact = await callerAs(desk.workspace, "viewer").mcp.impact({ id: ID });
    expect(impact.approvals).toContainEqual({ id: gate.id, run, node: "call", tool: "echo", status: "void" });
    expect(impact.runs.items.map(({ id }) => id)).toContain(run);
    expect(impact.graphs.items.map(({ name }) => name)).toEqual(["Kinds"]);

    await step(back);
    expect(await found()).toBe(true);
    await drive(desk, run);
    expect(await found()).toBe(false);
    const { state } = await readRun(desk, run);
    expect((await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"))).refusal).toBeNull();
    expect(world.called()).toBe(calls + 1);
  });

  it("suspends only that tool", async () => {
    await step({ type: "block_tool", tool: "other" });
    const { run } = await waitingRun();
    await drive(desk, run);
    expect((await standingOf(run)).gates).toEqual(["open"]);
    await step({ type: "unblock_tool", tool: "other" });
  });

  it("an unreachable server is not suspended: pending approvals wait", async () => {
    const { run } = await waitingRun();
    await become({ ...HONEST, tools: "not a list of tools" });
    expect(await apply({ type: "inspect", id: ID, revision: (await serverRow(desk.workspace, ID, mcp)).revision })).toMatchObject({
      ok: false,
    });
    await drive(desk, run);
    expect(await standingOf(run)).toEqual({ status: "waiting", gates: ["open"] });
  });
});
