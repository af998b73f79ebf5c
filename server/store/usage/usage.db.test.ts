import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import type { UsageDimension } from "@/lib/usage/report";
import { readUsage } from "@/server/store/usage/usage";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 4, 20, 10, 30);

const urls = await testDatabase("web");
let workspace: string;
let graph: string;
let other: string;
const ANNE = randomUUID();
const BEN = randomUUID();

const addGraph = async (name: string): Promise<string> => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into graph (workspace_id, id, name) values ($1, $2, $3)", [workspace, id, name]);

  return id;
};

beforeEach(async () => {
  workspace = await testWorkspace(urls.admin);
  graph = await addGraph("Support desk");
  other = await addGraph("Research");
  for (const [id, name] of [
    [ANNE, "Anne"],
    [BEN, "Ben"],
  ])
    await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, $3) on conflict do nothing", [
      id,
      `${id}@example.com`,
      name,
    ]);
  for (const id of [ANNE, BEN])
    await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'builder')", [workspace, id]);
});

type Call = {
  graphId?: string;
  user?: string;
  model?: string | null;
  agent?: string | null;
  at?: number;
  tokens?: number;
  microUsd?: number;
  latencyMs?: number | null;
};

const addCall = (call: Call = {}) => {
  const { graphId = graph, user = ANNE, model = "m", agent = "a", at = NOW, tokens = 10, microUsd = 100, latencyMs = null } = call;

  return asAdmin(
    urls.admin,
    `insert into model_usage (workspace_id, run_id, seq, index, at, graph_id, user_id, model, agent, input_tokens, output_tokens, micro_usd,
       latency_ms)
     values ($1, $2, 0, 0, $3, $4, $5, $6, $7, $8, 0, $9, $10)`,
    [workspace, randomUUID(), new Date(at), graphId, user, model, agent, tokens, microUsd, latencyMs],
  );
};

const addToolCall = (tool: string, latencyMs: number, { graphId = graph, at = NOW } = {}) =>
  asAdmin(
    urls.admin,
    `insert into tool_usage (workspace_id, run_id, seq, index, at, graph_id, user_id, server, tool, latency_ms)
     values ($1, $2, 0, 0, $3, $4, $5, 'crm', $6, $7)`,
    [workspace, randomUUID(), new Date(at), graphId, ANNE, tool, latencyMs],
  );

const addRun = (status: string, tookMs: number | null, { at = NOW, simulated = false, graphId = graph } = {}) =>
  asAdmin(
    urls.admin,
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at, ended_at, simulated)
     values ($1, $2, $3, '', $4, $5, 0, '', $6, $6, $7, $8)`,
    [workspace, randomUUID(), graphId, ANNE, status, new Date(at), tookMs === null ? null : new Date(at + tookMs), simulated],
  );

const read = (by: UsageDimension, change: Partial<Parameters<typeof readUsage>[0]> = {}, days = 7) =>
  readUsage({ workspaceId: workspace, onlyPerson: null, graphs: null, ...change }, { by, days }, NOW);
const figures = async (...asked: Parameters<typeof read>) =>
  (await read(...asked)).rows.map(({ name, microUsd, tokens, calls }) => [name, microUsd, tokens, calls]);

describe("usage", () => {
  it("sums calls by each dimension, the most expensive first", async () => {
    await addCall();
    await addCall({ model: "n", microUsd: 500 });
    await addCall({ graphId: other, user: BEN, agent: "b", microUsd: 50, tokens: 1 });
    await addCall({ model: null, agent: null, microUsd: 1 });
    expect(await figures("graph")).toEqual([
      ["Support desk", 601, 30, 3],
      ["Research", 50, 1, 1],
    ]);
    expect(await figures("model")).toEqual([
      ["n", 500, 10, 1],
      ["m", 150, 11, 2],
      ["Unanswered calls", 1, 10, 1],
    ]);
    expect(await figures("agent")).toEqual([
      ["a", 600, 20, 2],
      ["b", 50, 1, 1],
      ["No agent", 1, 10, 1],
    ]);
    expect(await figures("person")).toEqual([
      ["Anne", 601, 30, 3],
      ["Ben", 50, 1, 1],
    ]);
  });

  it("puts each call into the bucket of its UTC day and leaves out older ones", async () => {
    await addCall({ at: Date.UTC(2026, 4, 20, 0, 0) });
    await addCall({ at: Date.UTC(2026, 4, 19, 23, 59, 59, 999), microUsd: 7 });
    await addCall({ at: Date.UTC(2026, 4, 14, 0, 0), microUsd: 3 });
    await addCall({ at: Date.UTC(2026, 4, 13, 23, 59), microUsd: 1_000 });
    const { fromMs, toMs, rows } = await read("graph");
    expect([fromMs, toMs]).toEqual([Date.UTC(2026, 4, 14), Date.UTC(2026, 4, 21)]);
    expect(rows[0]?.series.map(({ microUsd }) => microUsd)).toEqual([3, 0, 0, 0, 0, 7, 100]);
    const today = await read("graph", {}, 1);
    expect([today.bucketMs, today.rows[0]?.series.length]).toEqual([HOUR_MS, 24]);
  });

  it("merges all but the most expensive fifty", async () => {
    for (let index = 0; index < 52; index += 1) await addCall({ agent: `a${index}`, microUsd: 1_000 - index });
    const rows = await figures("agent");
    expect(rows).toHaveLength(51);
    expect(rows.at(-1)).toEqual(["Others", 1_000 - 50 + 1_000 - 51, 20, 2]);
  });

  it("keeps a reader to their graphs, and hides other people's use from those who may not see people", async () => {
    await addCall();
    await addCall({ graphId: other, user: BEN, microUsd: 5 });
    expect(await figures("graph", { graphs: [other] })).toEqual([["Research", 5, 10, 1]]);
    expect(await figures("graph", { graphs: [] })).toEqual([]);
    const report = await read("person", { onlyPerson: ANNE });
    expect(report.rows.map(({ key, name }) => [key, name])).toEqual([
      [ANNE, "Anne"],
      [null, "Other people"],
    ]);
    expect(JSON.stringify(report)).not.toContain(BEN);
  });

  it("shows a page's reader only what their role admits, of their workspace", async () => {
    await addCall({ at: Date.now() });
    const names = async (role: "viewer" | "admin", of = workspace) =>
      (await callerAs(of, role).usage.report({ by: "person" })).rows.map(({ name }) => name);
    expect(await names("viewer")).toEqual(["Other people"]);
    expect(await names("admin")).toEqual(["Anne"]);
    expect(await names("admin", await testWorkspace(urls.admin))).toEqual([]);
  });

  it("has the median and 95th percentile of answered calls, for each key, bucket and in all", async () => {
    for (const latencyMs of [100, 300, 200]) await addCall({ latencyMs });
    await addCall({ model: null, latencyMs: null });
    await addCall({ model: "n", latencyMs: 1_000, at: Date.UTC(2026, 4, 19), microUsd: 1, graphId: other });
    const { rows, models } = await read("model");
    expect(rows.map(({ name, calls, medianMs, p95Ms }) => [name, calls, medianMs, p95Ms])).toEqual([
      ["m", 3, 200, 290],
      ["Unanswered calls", 1, null, null],
      ["n", 1, 1_000, 1_000],
    ]);
    expect(rows[0]?.series.map(({ medianMs }) => medianMs)).toEqual([null, null, null, null, null, null, 200]);
    expect(models).toMatchObject({ calls: 5, microUsd: 401, medianMs: 250, p95Ms: 895 });
    expect(models.series.map(({ p95Ms }) => p95Ms)).toEqual([null, null, null, null, null, 1_000, 290]);
    const times = async (...asked: Parameters<typeof read>) =>
      (await read(...asked)).rows.map(({ name, medianMs, p95Ms }) => [name, medianMs, p95Ms]);
    expect(await times("graph")).toEqual([
      ["Support desk", 200, 290],
      ["Research", 1_000, 1_000],
    ]);
    expect(await times("person", { onlyPerson: BEN })).toEqual([["Other people", 250, 895]]);
  });

  it("counts and times tool calls by tool, without a price, within the reader's graphs", async () => {
    for (const latencyMs of [10, 20, 30]) await addToolCall("find", latencyMs);
    await addToolCall("pay", 500);
    await addToolCall("pay", 900, { graphId: other });
    const { rows, tools, models } = await read("tool");
    expect(rows.map(({ key, name, calls, medianMs, p95Ms, microUsd }) => [key, name, calls, medianMs, p95Ms, microUsd])).toEqual([
      ["crm.find", "crm.find", 3, 20, 29, 0],
      ["crm.pay", "crm.pay", 2, 700, 880, 0],
    ]);
    expect(tools).toMatchObject({ calls: 5, medianMs: 30 });
    expect(models).toMatchObject({ calls: 0, medianMs: null });
    expect(await figures("tool", { graphs: [other] })).toEqual([["crm.pay", 0, 0, 1]]);
    expect(await figures("model")).toEqual([]);
  });

  it("counts results and their durations without simulations", async () => {
    await addRun("completed", 1_000);
    await addRun("completed", 3_000);
    await addRun("budget_exceeded", 2_000);
    await addRun("running", null);
    await addRun("completed", 90_000, { simulated: true });
    await addRun("completed", 90_000, { graphId: other });
    const { runs } = await read("graph", { graphs: [graph] });
    expect(runs).toEqual({ started: 4, ended: 3, completed: 2, medianMs: 2_000, p95Ms: 2_900, series: [0, 0, 0, 0, 0, 0, 4] });
  });

  it("counts approvals that were asked and decided, with the median time", async () => {
    const run = randomUUID();
    await asAdmin(
      urls.admin,
      `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at)
       values ($1, $2, $3, '', $4, 'running', 0, '', $5, $5)`,
      [workspace, run, graph, ANNE, new Date(NOW)],
    );
    for (const [status, tookMs] of [
      ["approved", 1_000],
      ["rejected", 5_000],
      ["changes_requested", 3_000],
      ["expired", 99_000],
      ["open", null],
    ] as const)
      await asAdmin(
        urls.admin,
        `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at, resolved_at)
         values ($1, $2, $3, 'n', 'effect', '', 'reviewer', '', $4, $5, $5, $6)`,
        [workspace, randomUUID(), run, status, new Date(NOW), tookMs === null ? null : new Date(NOW + tookMs)],
      );
    expect((await read("graph")).approvals).toEqual({ asked: 5, decided: 3, medianMs: 3_000, series: [0, 0, 0, 0, 0, 0, 5] });
    expect((await read("graph", { graphs: [other] })).approvals.asked).toBe(0);
  });

  it("is empty without use", async () => {
    expect(await read("model")).toMatchObject({ rows: [], runs: { started: 0, medianMs: null }, approvals: { asked: 0 } });
  });
});
