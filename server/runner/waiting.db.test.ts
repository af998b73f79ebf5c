import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
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

const atMs = (here: Desk, nowMs: number): Desk => ({ ...here, deps: { ...here.deps, clock: { ...systemClock, now: () => nowMs } } });

const waiting = async (to: "everyone" | "admins" = "admins") => {
  const published = asking(to);
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
