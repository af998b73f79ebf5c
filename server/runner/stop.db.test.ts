import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentSchema, graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { readStops } from "@/lib/stop/stops";
import { testInstallation } from "@/server/mcp/testing/installation";
import { useSameModels, type GenerateRequest, type Models } from "@/server/models/contract";
import { systemClock } from "@/server/clock";
import type { ScriptStep } from "@/server/models/scripted/script";
import { createScriptModels } from "@/server/models/scripted/script-models";
import { driveRun } from "@/server/runner/drive";
import { setStopAsOperator } from "@/server/runner/stop-command";
import { refuseWhileStopped, silenceWhileStopped } from "@/server/runner/stop-switch";
import { openDesk, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { ask, customersOf, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { asAdmin } from "@/server/mcp/testing/registered";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const published = (): PublishedGraph => ({
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "acts",
    name: "One agent",
    inputs: { type: "object", properties: { mail_file: { type: "string" } }, additionalProperties: false },
    memory: [
      { key: "mail_file", schema: { type: "string" } },
      { key: "result", schema: { type: "string" } },
    ],
    nodes: [{ id: "plan", kind: "agent", read_keys: ["mail_file"], write_keys: ["result"], config: { agent_id: "planner" } }],
    edges: [],
    start_node: "plan",
    end_nodes: ["plan"],
  }),
  agents: [agentSchema.parse({ id: "planner", name: "Planner", tools: [{ server: "customers", tool: "update_plan" }] })],
  tools: [...desk.published.tools],
  subgraphs: [],
});

const WRITE: ScriptStep = {
  tool_calls: [{ name: "customers__update_plan", input: { customer_id: "cus_1001", plan: "team", credit_cents: 100, reason: "Outage" } }],
};

type Playing = { readonly on: Desk; readonly run: string; readonly asked: () => number; readonly aborted: () => number };

/** @param hangs the first question is never answered */
const start = async (steps: ScriptStep[], hangs = false): Promise<Playing> => {
  const version = published();
  const models = createScriptModels({ agents: { planner: steps } }, systemClock);
  const counts = { asked: 0, aborted: 0 };
  const hang = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        counts.aborted += 1;
        reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
      });
    });
  const generate: Models["generate"] = (request: GenerateRequest, signal) => {
    counts.asked += 1;

    return hangs && counts.asked === 1 ? hang(signal) : models.generate(request, signal);
  };
  const on: Desk = {
    ...desk,
    published: version,
    graphHash: await publishAs(desk, version, desk.people.builder),
    deps: { ...desk.deps, modelsFor: useSameModels({ ...models, generate }) },
  };

  return {
    on,
    run: await startRun(on, "script", "02-outage-credit.txt", on.graphHash),
    asked: () => counts.asked,
    aborted: () => counts.aborted,
  };
};

const send = async (kind: "work_stop" | "work_resume", by = desk.people.admin) => (await sendOwn(desk, { kind }, by)).refusal?.code ?? null;
const standing = async () => readStops(await desk.deps.authority.read(desk.workspace));
const outcomeOf = ({ on, run }: Playing) => driveRun(on.deps, { onWake: () => () => undefined }, on.workspace, run);
const statusOf = async ({ on, run }: Playing) => (await readRun(on, run)).state.status;

describe("the stop switch of a workspace", () => {
  it("cancels a call under way within a second, starts none while it is on, and lets the run go on afterwards", async () => {
    const playing = await start([{ text: "done" }], true);
    const driving = outcomeOf(playing);
    await expect.poll(playing.asked).toBe(1);
    expect(await send("work_stop")).toBeNull();
    const sinceMs = performance.now();
    expect(await driving).toBe("stopped");
    expect(performance.now() - sinceMs).toBeLessThan(1_000);
    expect([playing.asked(), playing.aborted()]).toEqual([1, 1]);
    expect(await outcomeOf(playing)).toBe("stopped");
    expect([playing.asked(), await statusOf(playing)]).toEqual([1, "running"]);
    expect(await send("work_resume")).toBeNull();
    await drive(playing.on, playing.run);
    expect([playing.asked(), await statusOf(playing)]).toEqual([2, "completed"]);
  });

  it("leaves gates open: a decision counts while work is stopped, and its call is made only afterwards", async () => {
    const playing = await start([WRITE, { text: "done" }]);
    await drive(playing.on, playing.run);
    const before = (await customersOf(desk)).applied;
    expect(await send("work_stop")).toBeNull();
    const { state } = await readRun(playing.on, playing.run);
    expect(openGateOf(state).status).toBe("open");
    const decided = await ask(playing.on, playing.run, desk.people.reviewer, decisionFor(playing.on, state, "approve"));
    expect([decided.refusal, await statusOf(playing)]).toEqual([null, "running"]);
    expect([(await customersOf(desk)).applied, playing.asked()]).toEqual([before, 1]);
    await send("work_resume");
    await drive(playing.on, playing.run);
    expect([(await customersOf(desk)).applied, await statusOf(playing)]).toEqual([before + 1, "completed"]);
  });

  it("races a stop with an approval: the call is made once or not at all until work is resumed", async () => {
    const playing = await start([WRITE, { text: "done" }]);
    await drive(playing.on, playing.run);
    const before = (await customersOf(desk)).applied;
    const { state } = await readRun(playing.on, playing.run);
    await Promise.all([send("work_stop"), ask(playing.on, playing.run, desk.people.reviewer, decisionFor(playing.on, state, "approve"))]);
    const made = (await customersOf(desk)).applied - before;
    await outcomeOf(playing);
    expect((await customersOf(desk)).applied - before).toBe(made);
    await send("work_resume");
    await drive(playing.on, playing.run);
    const { state: after } = await readRun(playing.on, playing.run);
    // A call that was cut off is never repeated without a person.
    expect([(await customersOf(desk)).applied - before, after.status]).toEqual(
      after.status === "waiting" ? [made, "waiting"] : [1, "completed"],
    );
  });

  it("is an admin's, on a signed record, and no row can turn it", async () => {
    for (const by of [desk.people.builder, desk.people.reviewer, desk.people.viewer])
      expect(await send("work_stop", by)).toBe("principal_not_allowed");
    expect(await standing()).toEqual({ byAdmin: false, byOperator: false });
    expect(await send("work_resume")).toBe("step_refused");
    expect(await send("work_stop")).toBeNull();
    expect(await send("work_stop")).toBe("step_refused");
    expect(await standing()).toEqual({ byAdmin: true, byOperator: false });
    const [last] = await query<{ body: string }>(
      urls.admin,
      "select body from ledger_record where workspace_id = $1 and body like '%stops_step%' and body like '%transition%' order by seq desc limit 1",
      [desk.workspace],
    );
    expect(JSON.parse(last?.body ?? "{}")).toMatchObject({
      proposal_kind: "stops_step",
      principal: { type: "user", id: desk.people.admin },
    });
    await send("work_resume");
  });

  it("stays on when the record that turned it on is deleted", async () => {
    await send("work_stop");
    await asAdmin(
      urls.admin,
      "delete from ledger_record where workspace_id = $1 and body like '%stops_step%' and seq = (select max(seq) from ledger_record where workspace_id = $1 and body like '%stops_step%')",
      [desk.workspace],
    ).catch(() => undefined);
    expect(await desk.deps.switches.isStopped(desk.workspace)).toBe(true);
  });
});

describe("the operator's switch", () => {
  it("is another one: admins cannot turn it, and it holds back calls outside runs too", async () => {
    const fresh = await openDesk(urls, installation);
    const { deps, workspace } = fresh;
    expect(await setStopAsOperator(deps, deps.authority, workspace, true)).toBe(true);
    expect(await setStopAsOperator(deps, deps.authority, workspace, true)).toBe(false);
    expect((await sendOwn(fresh, { kind: "work_resume" }, fresh.people.admin)).refusal?.code).toBe("step_refused");
    const never = () => Promise.reject(new Error("called"));
    expect(
      await refuseWhileStopped(deps.switches, never)({} as never, { workspaceId: workspace } as never, AbortSignal.timeout(1)),
    ).toEqual({
      status: "refused",
      code: "stopped",
    });
    const models = await silenceWhileStopped(deps.switches, deps.modelsFor)(workspace);
    await expect(models.generate({} as never, AbortSignal.timeout(1_000))).rejects.toMatchObject({ code: "model_not_allowed" });
    expect(await setStopAsOperator(deps, deps.authority, workspace, false)).toBe(true);
    expect(await deps.switches.isStopped(workspace)).toBe(false);
    await fresh.mcp.close();
  });
});
