import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_FILTER, type TrustFilter } from "@/lib/engine/labels/trust-filter";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { bundleChild, leaseOver, runRunner } from "@/server/runner/testing/runner-process";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { listTrustFaults } from "@/server/runner/trust-audit";
import { useDatabase } from "@/server/db/client";
import { listTrust } from "@/server/store/trust/log";
import { testDatabase } from "@/server/testing/database";

const LEASE_MS = 10_000;
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let run: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await bundleChild(installation);
  run = await startRun(desk, "compromised", "02-outage-credit.txt");
  await drive(desk, run);
  const { state } = await readRun(desk, run);
  if (state.status === "waiting") await command(desk, run, desk.people.reviewer, decisionFor(desk, state, "reject"));
  await drive(desk, run);
}, 120_000);
afterAll(() => desk.mcp.close());

const page = (change: Partial<TrustFilter> = {}, cursor: string | null = null, limit = 1_000) =>
  listTrust(desk.workspace, { ...NO_FILTER, ...change }, { cursor, limit, nowMs: Date.now() });
const types = async (change: Partial<TrustFilter>) => [...new Set((await page(change)).events.map(({ type }) => type))].toSorted();

describe("the trust log of real runs", () => {
  it("has exactly the events of its records: taint, refusals and decisions, with their users", async () => {
    const { events } = await page({ run });
    expect(await listTrustFaults(desk.workspace)).toEqual([]);
    const refusals = (await readRun(desk, run)).records.filter(({ record }) => record.kind === "refusal");
    const denied = events.filter(({ type }) => type === "access_denied" || type === "refused");
    expect(refusals.length).toBeGreaterThan(0);
    expect(denied.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(refusals.map(({ record }) => record.seq));
    expect(events.some(({ type, path }) => type === "taint_assigned" && path === "mail")).toBe(true);
    expect(events.find(({ type }) => type === "decision")).toMatchObject({ principal: `user:${desk.people.reviewer}` });
  });

  it("pages without duplicates or gaps, newest first", async () => {
    const all = (await page()).events;
    const read: typeof all = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const next: Awaited<ReturnType<typeof page>> = await page({}, cursor, 7);
      read.push(...next.events);
      cursor = next.nextCursor;
    }
    expect(all.length).toBeGreaterThan(20);
    expect(read).toEqual(all);
    expect(read.map(({ at }) => at)).toEqual(read.map(({ at }) => at).toSorted((a, b) => b - a));
  });

  it("filters by type, person's name, node, path, run and time", async () => {
    expect(await types({ types: ["decision"] })).toEqual(["decision"]);
    expect((await page({ who: "REVIEWER", types: ["decision"] })).events).toHaveLength(1);
    expect((await page({ who: "an unknown name" })).events).toEqual([]);
    expect((await page({ path: "mail" })).events.every(({ path }) => path?.includes("mail"))).toBe(true);
    const [first] = (await page({ types: ["taint_assigned"] })).events;
    expect((await page({ node: first?.node ?? "" })).events.length).toBeGreaterThan(0);
    expect((await page({ run: run.slice(0, 8) })).events).toEqual((await page({ run })).events);
    expect((await page({ within: "hour" })).events).toEqual((await page()).events);
    expect((await page({ to: "2001-01-01" })).events).toEqual([]);
    expect((await page({ from: "2999-01-01" })).events).toEqual([]);
    expect((await page({ types: ["promotion"], people: "none" })).events).toEqual([]);
  });
});

describe("a row of the trust log", () => {
  it.each([
    { name: "after record 5", dieAfterRecord: 5, dieAfterCall: null },
    { name: "after record 14", dieAfterRecord: 14, dieAfterCall: null },
    { name: "after call 3, before its outcome is recorded", dieAfterRecord: null, dieAfterCall: 3 },
  ])(
    "is stored exactly with its record when the runner is killed $name",
    async ({ dieAfterRecord, dieAfterCall }) => {
      const killed = await startRun(desk, "honest", "02-outage-credit.txt");
      expect(await runRunner({ desk, runId: killed, leaseMs: LEASE_MS, dieAfterRecord, dieAfterCall })).toBe("SIGKILL");
      expect((await page({ run: killed })).events.length).toBeGreaterThan(0);
      expect(await listTrustFaults(desk.workspace)).toEqual([]);
      await leaseOver(desk, killed);
      await drive(desk, killed);
      expect(await listTrustFaults(desk.workspace)).toEqual([]);
    },
    60_000,
  );

  it("of an attempt at a nonexistent run is in the workspace's ledger", async () => {
    const unknown = randomUUID();
    await command(desk, unknown, desk.people.viewer, { kind: "cancel" });
    await drive(desk, unknown);
    const { events } = await page({ run: getWorkspaceLedgerId(desk.workspace) });
    expect(events[0]).toMatchObject({ type: "access_denied", principal: `user:${desk.people.viewer}`, detail: { code: "not_found" } });
  });

  it("is hidden from other workspaces", async () => {
    await useDatabase(urls.web);
    try {
      expect((await page()).events.length).toBeGreaterThan(0);
      expect((await listTrust(randomUUID(), NO_FILTER, { cursor: null, limit: 10, nowMs: Date.now() })).events).toEqual([]);
    } finally {
      await useDatabase(urls.runner);
    }
    // By row-level security alone.
    expect(await query(urls.web, "select 1 from trust_event")).toEqual([]);
  });

  it.each([
    ["web", "insert into trust_event select * from trust_event"],
    ["web", "update trust_event set type = 'opening'"],
    ["web", "delete from trust_event"],
    ["runner", "update trust_event set type = 'opening'"],
    ["runner", "delete from trust_event"],
    ["runner", "truncate trust_event"],
    ["admin", "update trust_event set type = 'opening'"],
    ["admin", "delete from trust_event"],
    ["admin", "truncate trust_event"],
  ] as const)("cannot be changed by %s: %s", async (role, sql) => {
    await expect(query(urls[role], sql)).rejects.toThrow(/permission denied|insert-only/u);
  });
});

describe("the audit of the trust log names", () => {
  const faultsAfter = async (sql: string) => {
    await asAdmin(urls.admin, "alter table trust_event disable trigger insert_only");
    await asAdmin(urls.admin, "create table kept as table trust_event");
    try {
      await asAdmin(urls.admin, sql, [run]);

      return await listTrustFaults(desk.workspace);
    } finally {
      await asAdmin(urls.admin, "delete from trust_event");
      await asAdmin(urls.admin, "insert into trust_event select * from kept");
      await asAdmin(urls.admin, "drop table kept");
      await asAdmin(urls.admin, "alter table trust_event enable trigger insert_only");
    }
  };
  const refusal = "run_id = $1 and seq = (select min(seq) from trust_event where run_id = $1 and type = 'access_denied')";

  it("a row that was deleted", async () => {
    expect(await faultsAfter(`delete from trust_event where ${refusal}`)).toMatchObject([{ reason: "trust_missing", run, index: 0 }]);
  });

  it.each([
    "type = 'decision'",
    "principal = 'engine'",
    "node = 'other'",
    "path = 'other'",
    "at = at + interval '1 second'",
    "detail = '{}'",
  ])("a row that was changed: %s", async (change) => {
    expect(await faultsAfter(`update trust_event set ${change} where ${refusal}`)).toMatchObject([{ reason: "trust_forged", run }]);
  });

  it.each(["type = 'harmless'", "detail = 'no JSON'"])("a malformed row: %s", async (change) => {
    expect(await faultsAfter(`update trust_event set ${change} where ${refusal}`)).toMatchObject([{ reason: "trust_forged", run }]);
  });

  it("a row that no record says, of a run that has records and of one that has none", async () => {
    const forged = (at: string) =>
      `insert into trust_event select workspace_id, ${at}, 'promotion', null, 'engine', 'x', '{}' from trust_event where ${refusal}`;
    expect(await faultsAfter(forged("run_id, seq, 77, at"))).toMatchObject([{ reason: "trust_forged", run, index: 77 }]);
    const faults = await faultsAfter(forged("gen_random_uuid(), 0, 0, at"));
    expect(faults).toMatchObject([{ reason: "trust_forged", seq: 0, index: 0 }]);
    expect(faults[0]?.run).not.toBe(run);
  });
});
