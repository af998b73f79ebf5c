import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentSchema, graphSchema, type PublishedGraph } from "@/lib/graph/document";
import type { CommandBody } from "@/lib/engine/proposal";
import { findAside, getKnownValue, toMemory, type RunState } from "@/lib/engine/state";
import type { Json, JsonObject } from "@/lib/json";
import { getReplyCommandId, verifyReplyToken } from "@/lib/notifications/reply-link";
import { systemClock } from "@/server/clock";
import { testInstallation } from "@/server/mcp/testing/installation";
import { useSameModels, type GenerateRequest } from "@/server/models/contract";
import { buildModelMessages } from "@/server/models/sdk/messages";
import type { ScriptStep } from "@/server/models/scripted/script";
import { createScriptModels } from "@/server/models/scripted/script-models";
import { describeApproval } from "@/server/runner/notification-item";
import { openDesk, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, customersOf, decisionFor, drive, openGateOf, readRun, refusalCodes } from "@/server/runner/testing/run";
import { writeCommand } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const NODE = { id: "plan", kind: "agent", read_keys: ["mail_file"], write_keys: ["result"], config: { agent_id: "planner" } } as const;

const published = (isProtected: boolean): PublishedGraph => ({
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: isProtected ? "answers" : "acts",
    name: "One agent",
    inputs: { type: "object", properties: { mail_file: { type: "string" } }, additionalProperties: false },
    memory: [
      { key: "mail_file", schema: { type: "string" } },
      { key: "result", schema: { type: "string" }, protected: isProtected },
    ],
    nodes: [{ ...NODE, approval: isProtected ? "by_rule" : "always", effect: "write" }],
    edges: [],
    start_node: "plan",
    end_nodes: ["plan"],
  }),
  agents: [agentSchema.parse({ id: "planner", name: "Planner", tools: [{ server: "customers", tool: "update_plan" }] })],
  tools: [...desk.published.tools],
  subgraphs: [],
});

type Scripted = { readonly on: Desk; readonly run: string; readonly requests: readonly GenerateRequest[] };

const startScripted = async (isProtected: boolean, steps: ScriptStep[]): Promise<Scripted> => {
  const version = published(isProtected);
  const requests: GenerateRequest[] = [];
  const models = createScriptModels({ agents: { planner: steps } }, systemClock);
  const generate: typeof models.generate = (request, signal) => {
    requests.push(request);

    return models.generate(request, signal);
  };
  const on: Desk = {
    ...desk,
    published: version,
    graphHash: await publishAs(desk, version, desk.people.builder),
    deps: { ...desk.deps, modelsFor: useSameModels({ ...models, generate }) },
  };
  const run = await startRun(on, "script", "02-outage-credit.txt", on.graphHash);
  await drive(on, run);

  return { on, run, requests };
};

const stateOf = async ({ on, run }: Scripted): Promise<RunState> => (await readRun(on, run)).state;
const asks = async (scripted: Scripted, body: (state: RunState) => CommandBody, by = desk.people.reviewer) => {
  const outcome = await ask(scripted.on, scripted.run, by, body(await stateOf(scripted)));
  expect(outcome.refusal).toBeNull();
};
const approve = (scripted: Scripted, by = desk.people.second) => asks(scripted, (state) => decisionFor(scripted.on, state, "approve"), by);
const sendBack = (scripted: Scripted, reason: string) =>
  asks(scripted, (state) => ({ ...decisionFor(scripted.on, state, "approve"), decision: "request_changes", reason }));
const edit = (scripted: Scripted, args: JsonObject) =>
  asks(scripted, (state) => {
    const { id, nonce, transition_digest } = openGateOf(state).gate;

    return { kind: "edit", approval_id: id, nonce, transition_digest, change: { arguments: args } };
  });
const calledWith = (state: RunState): (Json | undefined)[] =>
  Object.keys(state.effects).map((id) => getKnownValue(findAside(state, `$arguments.${id}`).at(-1)));

const write = (credit_cents: number): JsonObject => ({ customer_id: "cus_1001", plan: "team", credit_cents, reason: "Outage" });
const calls = (credit: number): ScriptStep => ({ tool_calls: [{ name: "customers__update_plan", input: write(credit) }] });

describe("an agent whose call", () => {
  it("was edited learns the arguments used and that a person changed them", async () => {
    const scripted = await startScripted(false, [calls(900), { text: "done" }]);
    const before = (await customersOf(desk)).applied;
    await edit(scripted, write(100));
    await approve(scripted);
    await approve(scripted);
    const state = await stateOf(scripted);
    expect(state.status).toBe("completed");
    expect(calledWith(state)).toEqual([write(100)]);
    expect((await customersOf(desk)).applied).toBe(before + 1);
    const [told] = scripted.requests.at(-1)?.thread.slice(-1) ?? [];
    expect(told).toMatchObject({ role: "tool", status: "ok", by_person: { changed_arguments: write(100) } });
    expect(JSON.stringify(buildModelMessages("", told ? [told] : []))).toContain("changed_arguments");
  });

  it("was sent back learns why and makes another; the first had no effect", async () => {
    const scripted = await startScripted(false, [calls(900), calls(200), { text: "done" }]);
    const before = (await customersOf(desk)).applied;
    await sendBack(scripted, "Nine euros are too much.");
    expect((await customersOf(desk)).applied).toBe(before);
    const { state: then, records } = await readRun(scripted.on, scripted.run);
    expect(refusalCodes(records)).toEqual(["changes_requested"]);
    const [first] = Object.keys(then.gates);
    expect(openGateOf(then).gate.supersedes).toBe(first);
    await approve(scripted);
    await approve(scripted);
    const state = await stateOf(scripted);
    expect(calledWith(state)).toEqual([write(200)]);
    expect((await customersOf(desk)).applied).toBe(before + 1);
    expect(scripted.requests[1]?.thread.at(-1)).toMatchObject({ status: "refused", by_person: { note: "Nine euros are too much." } });
  });

  it("was sent back by a link from an e-mail makes another, on record as from there", async () => {
    const { on, run, requests } = await startScripted(false, [calls(900), calls(200), { text: "done" }]);
    const state = (await readRun(on, run)).state;
    const approvalId = openGateOf(state).gate.id;
    const to = { workspaceId: on.workspace, approvalId, userId: on.people.reviewer, channel: "mail" } as const;
    const item = await describeApproval(on.deps, { origin: "https://desk.example.com", most: "internal" }, to);
    const url = item?.actions.find(({ kind }) => kind === "request_changes")?.url ?? "";
    const token = new URL(url).searchParams.get("token") ?? "";
    const link = await verifyReplyToken(token, await on.deps.publicKeys(), Date.now());
    if (!link) throw new Error("the link is void");
    const body = { ...decisionFor(on, state, "reject"), decision: "request_changes", reason: "Too much." } as const;
    const author = { type: "link", id: to.userId, token } as const;
    const id = getReplyCommandId(link, "request_changes");
    await writeCommand(urls.admin, on.deps, { id, workspace: on.workspace, runId: run, author, body });
    await drive(on, run);
    const after = await readRun(on, run);
    expect(after.state.gates[approvalId]).toMatchObject({ status: "changes_requested", decisions: [{ user: to.userId, via: "mail" }] });
    expect(requests[1]?.thread.at(-1)).toMatchObject({ by_person: { note: "Too much." } });
  });
});

describe("an agent whose call was rejected", () => {
  const reject = (scripted: Scripted, reason: string) =>
    asks(scripted, (state) => ({ ...decisionFor(scripted.on, state, "reject"), reason }));

  it("is told so with the reason, cannot repeat it, and completes its other work", async () => {
    const again: ScriptStep = {
      tool_calls: [
        { name: "customers__update_plan", input: { reason: " outage ", credit_cents: 900, plan: "TEAM", customer_id: "cus_1001" } },
      ],
    };
    const scripted = await startScripted(false, [calls(900), calls(900), again, calls(200), { text: "done" }]);
    const before = (await customersOf(desk)).applied;
    await reject(scripted, "Nine euros are too much.");
    const { state: then, records } = await readRun(scripted.on, scripted.run);
    // The pinned schema knows no plan TEAM, so it refuses the third.
    expect(refusalCodes(records).slice(0, 2)).toEqual(["call_rejected", "call_repeated"]);
    expect([then.status, (await customersOf(desk)).applied]).toEqual(["waiting", before]);
    expect(scripted.requests[1]?.thread.at(-1)).toMatchObject({
      status: "rejected",
      result: { code: "call_rejected" },
      by_person: { note: "Nine euros are too much." },
    });
    expect(scripted.requests[2]?.thread.at(-1)).toMatchObject({ status: "refused", result: { code: "call_repeated" } });
    await approve(scripted);
    await approve(scripted);
    const state = await stateOf(scripted);
    expect([state.status, calledWith(state), (await customersOf(desk)).applied]).toEqual(["completed", [write(200)], before + 1]);
  });
});

describe("an agent that makes several calls in one turn", () => {
  const turn = (...credits: number[]): ScriptStep => ({
    tool_calls: credits.map((credit) => ({ name: "customers__update_plan", input: write(credit) })),
  });
  const decide = (scripted: Scripted, index: number, choice: "approve" | "reject") =>
    asks(scripted, (state) => decisionFor(scripted.on, state, choice, Object.values(state.gates)[index]));
  const rowsOf = ({ run }: Scripted) =>
    query<{ status: string }>(urls.admin, "select status from approval where run_id = $1 order by opened_at, id", [run]);

  it("has them wait together; answered in reverse order, each is made or rejected by its own decision", async () => {
    const scripted = await startScripted(false, [turn(100, 200, 300), { text: "done" }]);
    const before = (await customersOf(desk)).applied;
    const { gates } = await stateOf(scripted);
    expect(Object.values(gates).map(({ status }) => status)).toEqual(["open", "open", "open"]);
    expect((await rowsOf(scripted)).map(({ status }) => status)).toEqual(["open", "open", "open"]);
    expect(refusalCodes((await readRun(scripted.on, scripted.run)).records)).toEqual([]);
    await decide(scripted, 2, "approve");
    await decide(scripted, 1, "reject");
    expect([(await stateOf(scripted)).status, (await customersOf(desk)).applied]).toEqual(["waiting", before]);
    await decide(scripted, 0, "approve");
    await approve(scripted);
    const state = await stateOf(scripted);
    expect([state.status, calledWith(state), (await customersOf(desk)).applied]).toEqual([
      "completed",
      [write(100), write(300)],
      before + 2,
    ]);
    expect(scripted.requests).toHaveLength(2);
    expect(scripted.requests[1]?.thread.slice(-3)).toMatchObject([
      { role: "tool", status: "ok" },
      { role: "tool", status: "rejected" },
      { role: "tool", status: "ok" },
    ]);
  });

  it("makes the first as soon as it is approved; cancelling the run closes the others in the inbox", async () => {
    const scripted = await startScripted(false, [turn(100, 200, 300), { text: "done" }]);
    const before = (await customersOf(desk)).applied;
    await decide(scripted, 0, "approve");
    expect([(await stateOf(scripted)).status, (await customersOf(desk)).applied]).toEqual(["waiting", before + 1]);
    await asks(scripted, () => ({ kind: "cancel" }), desk.people.starter);
    expect((await rowsOf(scripted)).map(({ status }) => status).toSorted()).toEqual(["approved", "void", "void"]);
  });
});

describe("an agent whose answer", () => {
  it("was sent back continues in the same conversation, and only the approved answer is written", async () => {
    const scripted = await startScripted(true, [{ text: "first" }, { text: "second" }]);
    await sendBack(scripted, "Say it better.");
    expect(toMemory((await stateOf(scripted)).cells)).not.toHaveProperty("result");
    await approve(scripted);
    const state = await stateOf(scripted);
    expect([state.status, toMemory(state.cells)["result"]]).toEqual(["completed", "second"]);
    expect(scripted.requests[1]?.thread.map(({ role }) => role)).toEqual(["assistant", "person"]);
    expect(JSON.stringify(buildModelMessages("", scripted.requests[1]?.thread ?? []))).toContain("Say it better.");
  });
});
