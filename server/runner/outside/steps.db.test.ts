import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { recordSchema } from "@/lib/engine/ledger/record";
import { isResting, toMemory } from "@/lib/engine/state";
import { getStanding } from "@/lib/outside/legal";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { asAdmin } from "@/server/mcp/testing/registered";
import { testInstallation } from "@/server/mcp/testing/installation";
import { driveRun } from "@/server/runner/drive";
import { openLedger } from "@/server/runner/load";
import { command, openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { runAgentCommand, answerTo, outsider, publishCounter, startedBy, stepBody, takeStep } from "@/server/runner/testing/outside";
import { customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { bundleChild, leaseOver, runRunner } from "@/server/runner/testing/runner-process";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const STEPS = 50;
const MARIA = "maria.lindqvist@nordlicht.example";
const CHANGE = { customer_id: "cus_1001", plan: "team", credit_cents: 500, reason: "asked for it" };

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let counter: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await bundleChild(installation);
  counter = await publishCounter(desk);
}, 120_000);
afterAll(() => desk.mcp.close());

const position = async (runId: string) => {
  const { state } = await readRun(desk, runId);

  return { rests: isResting(state), actions: state.position?.actions.map(({ node }) => node), memory: toMemory(state.cells) };
};

describe("50 parallel steps", () => {
  it("give exactly one commit per sequence number", async () => {
    const agent = await outsider(desk, counter);
    const runId = await startedBy(desk, agent);
    const before = (await readRun(desk, runId)).records.length;
    const asked = Promise.all(Array.from({ length: STEPS }, () => runAgentCommand(desk, agent, runId, stepBody("count"))));
    // Several runners compete meanwhile.
    const runners = Array.from({ length: 4 }, () => driveRun(desk.deps, { onWake: () => () => undefined }, desk.workspace, runId));
    const ids = await asked;
    await Promise.all(runners);
    await drive(desk, runId);

    const answers = await Promise.all(ids.map((id) => answerTo(desk, id)));
    const { records, state } = await readRun(desk, runId);
    const seqs = records.map(({ record }) => record.seq);
    expect(seqs).toEqual(seqs.map((_seq, index) => index));
    const [stored] = await query<{ n: number; d: number }>(
      urls.admin,
      "select count(*)::int as n, count(distinct seq)::int as d from ledger_record where run_id = $1",
      [runId],
    );
    expect(stored).toEqual({ n: records.length, d: records.length });
    expect(new Set(answers.map((answer) => answer?.seq)).size).toBe(STEPS);
    const taken = answers.filter((answer) => answer?.refusal === null).length;
    const codes = new Set(answers.flatMap((answer) => answer?.refusal?.code ?? []));
    expect([taken > 0, [...codes]]).toEqual([true, taken === STEPS ? [] : ["approval_pending"]]);
    expect(records.length - before).toBe(STEPS + taken);
    expect([toMemory(state.cells), state.iterationCount]).toEqual([{ counted: taken }, taken]);
  });

  it("all succeed when sequential", async () => {
    const agent = await outsider(desk, counter);
    const runId = await startedBy(desk, agent);
    for (let count = 0; count < 10; count += 1) expect((await takeStep(desk, agent, runId, "count")).refusal).toBeNull();

    expect((await position(runId)).memory).toEqual({ counted: 10 });
  });
});

describe("a body that outlives its timeout", () => {
  const slow = () => {
    const held = Promise.withResolvers<void>();
    const called = vi.fn<() => void>();
    const mcp: Desk["deps"]["mcp"] = {
      ...desk.deps.mcp,
      call: async (call, signal) => {
        const answer = await desk.deps.mcp.call(call, signal);
        called();
        await held.promise;

        return answer;
      },
    };

    return { deps: { ...desk.deps, mcp }, called, letGo: held.resolve };
  };

  const timedOut = async () => {
    const agent = await outsider(desk, counter);
    const runId = await startedBy(desk, agent);
    await takeStep(desk, agent, runId, "count");
    const before = await position(runId);
    await runAgentCommand(desk, agent, runId, stepBody("find", { email: MARIA }));
    const body = slow();
    await driveRun(body.deps, { onWake: () => () => undefined }, desk.workspace, runId);
    expect(body.called).toHaveBeenCalledTimes(1);

    return { agent, runId, before, body };
  };

  it("never advances state", async () => {
    const { agent, runId, before, body } = await timedOut();
    const failed = await readRun(desk, runId);
    expect([await position(runId), failed.state.lastError]).toEqual([before, { node: "find", code: "node_timeout" }]);

    body.letGo();
    // The late answer is recorded and changes nothing.
    await vi.waitFor(async () => expect((await readRun(desk, runId)).records.length).toBe(failed.records.length + 1));
    const { state } = await readRun(desk, runId);
    expect([await position(runId), Object.values(state.effects).map(({ outcome }) => outcome)]).toEqual([before, ["ok"]]);
    expect((await takeStep(desk, agent, runId, "find", { email: MARIA })).refusal).toBeNull();
    expect((await position(runId)).actions).toEqual(["end"]);
  });

  it("never advances a run that another runner continued", async () => {
    const { agent, runId, body } = await timedOut();
    expect((await takeStep(desk, agent, runId, "end")).refusal).toBeNull();
    const ended = await readRun(desk, runId);
    body.letGo();

    expect((await takeStep(desk, agent, runId, "count")).refusal?.code).toBe("run_finished");
    const { state, records } = await readRun(desk, runId);
    expect([state.status, records.slice(0, ended.records.length)]).toEqual(["completed", ended.records]);
  });
});

describe("killing the runner between intent and outcome of an action's tool call", () => {
  const killed = async (graphHash: string) => {
    const agent = await outsider(desk, graphHash);
    const runId = await startedBy(desk, agent);
    await takeStep(desk, agent, runId, "count");
    await takeStep(desk, agent, runId, "change", CHANGE);
    const { state } = await readRun(desk, runId);
    expect(state.status).toBe("waiting");
    await command(desk, runId, desk.people.reviewer, decisionFor(desk, state, "approve"));
    const { applied } = await customersOf(desk);
    const signal = await runRunner({ desk, runId, leaseMs: 10_000, dieAfterRecord: null, dieAfterCall: 1 });
    expect([signal, (await customersOf(desk)).applied - applied]).toEqual(["SIGKILL", 1]);
    await leaseOver(desk, runId);

    return { agent, runId, applied };
  };

  it("leaves a visible, recoverable state", async () => {
    const { agent, runId, applied } = await killed(await publishCounter(desk, { idempotent: false }));
    const dead = await readRun(desk, runId);
    const published = { ...desk.published, graph: { ...desk.published.graph, start_node: "count" } };
    expect(getStanding(published, dead.state)).toEqual({ is: "at_work", action: "change" });
    expect(Object.values(dead.state.effects).map(({ outcome, node }) => [node, outcome])).toEqual([["change", null]]);
    const place = { workspaceId: desk.workspace, runId, version: dead.state.version, digest: dead.state.head };
    expect(await verifyLedger(await openLedger(desk.deps.vault, place), await listPublicKeys())).toMatchObject({ ok: true });

    // Its outcome is unknown, so a person is asked, and no step is accepted meanwhile.
    expect((await takeStep(desk, agent, runId, "end")).refusal?.code).toBe("approval_pending");
    const asked = await readRun(desk, runId);
    expect(Object.values(asked.state.gates).find(({ status }) => status === "open")?.gate.reason).toBe("unclear_effect");
    await command(desk, runId, desk.people.reviewer, decisionFor(desk, asked.state, "approve"));
    await drive(desk, runId);
    // Under another receipt it is no repetition, so the action fails.
    const { rests, actions } = await position(runId);
    expect([rests, actions, (await customersOf(desk)).applied - applied]).toEqual([true, ["count", "find", "change", "end"], 1]);
    expect((await takeStep(desk, agent, runId, "end")).refusal).toBeNull();
  }, 60_000);

  it("is safely repeated by the next runner and done once", async () => {
    const { runId, applied } = await killed(counter);
    await drive(desk, runId);

    expect([(await position(runId)).actions, (await customersOf(desk)).applied - applied]).toEqual([["end"], 1]);
  }, 60_000);
});

describe("another session's run", () => {
  it("is indistinguishable from a missing one, and the attempt is on record", async () => {
    const [agent, other] = [await outsider(desk, counter), await outsider(desk, counter)];
    const runId = await startedBy(desk, agent);
    const before = (await readRun(desk, runId)).records.length;
    const theirs = await takeStep(desk, other, runId, "count");
    const nowhere = randomUUID();
    const id = await runAgentCommand(desk, other, nowhere, stepBody("count"));
    await driveRun(desk.deps, { onWake: () => () => undefined }, desk.workspace, nowhere);
    const missing = await answerTo(desk, id);

    expect(theirs.refusal).toEqual(missing?.refusal);
    expect([theirs.refusal?.code, (missing?.seq ?? 0) - theirs.seq]).toEqual(["not_found", 1]);
    expect((await readRun(desk, runId)).records).toHaveLength(before);
    const attempts = await query<{ body: string }>(
      urls.admin,
      "select body from ledger_record where workspace_id = $1 and run_id = $2 order by seq",
      [desk.workspace, getWorkspaceLedgerId(desk.workspace)],
    );
    const refused = attempts.filter(({ body }) => recordSchema.parse(JSON.parse(body)).kind === "refusal");
    expect(refused.filter(({ body }) => body.includes(other.token))).toHaveLength(2);
  });

  it.each([
    ["revoked token", "update agent_token set revoked_at = now() where id = $1", "token"],
    ["expired token", "update agent_token set expires_at = now() where id = $1", "token"],
    ["revoked session", "update agent_session set revoked_at = now() where id = $1", "session"],
  ] as const)("and so it is with a %s", async (_name, sql, which) => {
    const agent = await outsider(desk, counter);
    const runId = await startedBy(desk, agent);
    await asAdmin(urls.admin, sql, [agent[which]]);
    await recordRows(desk.deps, desk.workspace);

    expect((await takeStep(desk, agent, runId, "count")).refusal?.code).toBe("not_found");
  });
});
