import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { computeWaitTokenHash } from "@/lib/engine/decide/wait";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { webhookPayloadSchema } from "@/lib/webhooks/payload";
import { systemClock } from "@/server/clock";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { addEndpoint, movedClock, notifyDeps, sendDue } from "@/server/notify/testing/fixture";
import { openReceiver } from "@/server/notify/testing/receiver";
import { addMember, command, openDesk, publishAs, query, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { createVault } from "@/server/security/vault";
import { testDatabase } from "@/server/testing/database";

const HOUR_MS = 3_600_000;
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());
beforeEach(() => asAdmin(urls.admin, "truncate webhook_endpoint, webhook_delivery"));

const asking = (to: "everyone" | "admins"): PublishedGraph => ({
  ...desk.published,
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "waits",
    name: "Waits",
    memory: [{ key: "note", schema: { type: "string" } }],
    nodes: [
      { id: "ask", kind: "approval", config: { prompt: "Go on?", expiry_node: "late", escalation: { after_ms: HOUR_MS, to } } },
      { id: "late", kind: "transform", write_keys: ["note"], config: { set: [{ path: "note", value: '"late"' }] } },
    ],
    edges: [],
    start_node: "ask",
    end_nodes: ["ask", "late"],
  }),
});

/** Waits an hour, then for an answer for an hour. */
const resting = (): PublishedGraph => ({
  ...desk.published,
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "rests",
    name: "Rests",
    memory: [{ key: "note", schema: { type: "string" } }],
    nodes: [
      { id: "rest", kind: "wait", config: { until: { type: "duration", ms: HOUR_MS } } },
      { id: "hear", kind: "wait", write_keys: ["note"], config: { until: { type: "event", timeout_ms: HOUR_MS } } },
      { id: "late", kind: "transform", write_keys: ["note"], config: { set: [{ path: "note", value: '"late"' }] } },
    ],
    edges: [
      { id: "rested", source: "rest", target: "hear" },
      { id: "missed", source: "hear", target: "late", kind: "timeout" },
    ],
    start_node: "rest",
    end_nodes: ["hear", "late"],
  }),
});

const atMs = (here: Desk, nowMs: number): Desk => ({ ...here, deps: { ...here.deps, clock: { ...systemClock, now: () => nowMs } } });

const starting = async (published: PublishedGraph) => {
  const here: Desk = { ...desk, published };
  const runId = randomUUID();
  const graphHash = await publishAs(desk, published, desk.people.builder);
  await command(here, runId, desk.people.starter, {
    kind: "start",
    graph_hash: graphHash,
    goal: "",
    constraints: [],
    inputs: {},
    model: "scripted:honest",
  });
  await drive(here, runId);

  return { here, runId };
};

const waiting = async (to: "everyone" | "admins" = "admins") => {
  const { here, runId } = await starting(asking(to));
  const { gate } = openGateOf((await readRun(here, runId)).state);

  return { here, runId, gate };
};

const wakesAt = async (runId: string) =>
  (await query<{ ms: number }>(urls.admin, "select (extract(epoch from wake_at) * 1000)::float8 as ms from run where id = $1", [runId]))[0]
    ?.ms;
const visited = (records: readonly SignedRecord[]) =>
  records.flatMap(({ record }) => record.control.flatMap((event) => (event.type === "node_entered" ? [event.node] : [])));
const rowOf = async (id: string) =>
  (
    await query(
      urls.admin,
      "select status, escalated_to, (extract(epoch from escalated_at) * 1000)::float8 as ms from approval where id = $1",
      [id],
    )
  )[0];

describe("a run that waits", () => {
  test("escalates in its time, on record and in the inbox, and then expires along its expiry node", async () => {
    const { here, runId, gate } = await waiting();
    expect(await wakesAt(runId)).toBe(gate.opened_at + HOUR_MS);
    await drive(atMs(here, gate.opened_at + HOUR_MS - 1), runId);
    expect(await rowOf(gate.id)).toEqual({ status: "open", escalated_to: null, ms: null });

    await drive(atMs(here, gate.opened_at + HOUR_MS), runId);
    const { records, state } = await readRun(here, runId);
    expect(records.at(-1)?.record.control).toEqual([{ type: "gate_escalated", approval_id: gate.id, to: "admins" }]);
    expect(openGateOf(state).escalatedAt).toBe(gate.opened_at + HOUR_MS);
    expect(await rowOf(gate.id)).toEqual({ status: "open", escalated_to: "admins", ms: gate.opened_at + HOUR_MS });
    expect(await wakesAt(runId)).toBe(gate.expires_at);

    await drive(atMs(here, gate.expires_at), runId);
    const ended = await readRun(here, runId);
    expect([ended.state.status, visited(ended.records)]).toEqual(["completed", ["ask", "late"]]);
    expect(await rowOf(gate.id)).toMatchObject({ status: "expired" });
  });

  test("lets no admin decide by being escalated to admins, and still lets a reviewer", async () => {
    const { here, runId, gate } = await waiting();
    const later = atMs(here, gate.opened_at + HOUR_MS);
    await drive(later, runId);
    const { state } = await readRun(here, runId);
    const admin = await addMember(here, "admin");
    expect(await ask(later, runId, admin, decisionFor(here, state, "approve"))).toMatchObject({ refusal: { code: "role_missing" } });
    await ask(later, runId, desk.people.reviewer, decisionFor(here, state, "approve"));
    const decided = await readRun(here, runId);
    expect([decided.state.status, visited(decided.records)]).toEqual(["completed", ["ask"]]);
  });

  test.each(["admins", "everyone"] as const)("tells webhooks once that it was escalated to %s, and whom", async (to) => {
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    const vault = createVault("ab".repeat(32));
    await addEndpoint(urls.admin, desk.workspace, vault, { url: receiver.url, types: ["approval.escalated"] });
    const admin = await addMember(desk, "admin");
    const { here, runId, gate } = await waiting(to);
    for (const afterMs of [HOUR_MS, HOUR_MS + 1, 2 * HOUR_MS]) await drive(atMs(here, gate.opened_at + afterMs), runId);
    await sendDue(notifyDeps(vault, movedClock(), [receiver.origin]));
    expect(receiver.received).toHaveLength(1);
    const payload = webhookPayloadSchema.parse(JSON.parse(receiver.received[0]?.body ?? ""));
    expect(payload).toMatchObject({ type: "approval.escalated", data: { approval_id: gate.id, to } });
    const people = payload.type === "approval.escalated" ? payload.data.people : [];
    expect([people.includes(admin), people.includes(desk.people.reviewer), people.includes(desk.people.starter)]).toEqual(
      to === "admins" ? [true, false, false] : [false, true, false],
    );
  });
});

describe("a run in a wait", () => {
  const waitOf = async (here: Desk, runId: string) => {
    const { state } = await readRun(here, runId);
    const { wait } = state;
    if (!wait) throw new Error("the run does not wait");

    return wait;
  };
  const ended = (records: readonly SignedRecord[]) =>
    records.flatMap(({ record }) => record.control.flatMap((event) => (event.type === "wait_ended" ? [event.outcome] : [])));

  test("rests without a lease, and each new lease finds it where it was, once, whatever the clock does", async () => {
    const { here, runId } = await starting(resting());
    const { until } = await waitOf(here, runId);
    expect(await query(urls.admin, "select status, lease_until from run where id = $1", [runId])).toEqual([
      { status: "waiting", lease_until: null },
    ]);
    expect(await wakesAt(runId)).toBe(until);
    for (const atTime of [until - 1, until - 40 * HOUR_MS, until - 1]) await drive(atMs(here, atTime), runId);
    expect((await waitOf(here, runId)).node).toBe("rest");

    await drive(atMs(here, until + 400 * 24 * HOUR_MS), runId);
    const heard = await waitOf(here, runId);
    expect(heard.node).toBe("hear");
    // The clock is set right again: the second wait still lasts its hour after the jump.
    await drive(atMs(here, until), runId);
    expect(await waitOf(here, runId)).toEqual(heard);
    await drive(atMs(here, heard.until), runId);
    const { records, state } = await readRun(here, runId);
    expect([state.status, ended(records), visited(records)]).toEqual(["completed", ["due", "expired"], ["rest", "hear", "late"]]);
  });

  test("takes an answer of a person with the right by a command, and no second one", async () => {
    const { here, runId } = await starting(resting());
    const { until } = await waitOf(here, runId);
    const then = atMs(here, until);
    await drive(then, runId);
    const asked = { kind: "take_wait_token", token_hash: computeWaitTokenHash("cwt_here") } as const;
    await ask(then, runId, desk.people.reviewer, asked);
    await ask(then, runId, desk.people.starter, asked);
    await ask(then, runId, desk.people.starter, { kind: "answer_wait", token: "cwt_here", value: "yes" });
    const { records, state } = await readRun(here, runId);
    expect([state.status, ended(records)]).toEqual(["completed", ["due", "answered"]]);
    expect(state.cells.map(({ path, label }) => [path, label.integrity, label.provenance])).toEqual([
      ["note", "trusted", [`user:${desk.people.starter}`]],
    ]);
    expect(records.flatMap(({ record }) => record.refusal?.code ?? [])).toEqual(["principal_not_allowed"]);
  });
});
