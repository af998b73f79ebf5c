import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { RunState } from "@/lib/engine/state";
import { collectRunnerMetrics } from "@/server/metrics";
import { testInstallation } from "@/server/mcp/testing/installation";
import { useSameModels } from "@/server/models/contract";
import { createModels } from "@/server/models/sdk/in-process";
import { startFake, type Fake } from "@/server/models/testing/fake";
import { startCollector, type SentSpan } from "@/server/runner/testing/collector";
import { command, openDesk, publishAs, type Desk } from "@/server/runner/testing/desk";
import { ANSWERS, CANARIES, observedGraph, samples, spellings } from "@/server/runner/testing/observed";
import { drive, readRun } from "@/server/runner/testing/run";
import { readBacklog } from "@/server/store/approvals/backlog";
import { startTracing } from "@/server/trace-setup";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const collector = await startCollector();
vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.origin);
const urls = await testDatabase("runner");
const installation = await testInstallation();

type Run = { readonly state: RunState; readonly records: readonly SignedRecord[] };

let desk: Desk;
let fake: Fake;
let good: Run;
let bad: Run;
let before: ReadonlyMap<string, number>;
let after: ReadonlyMap<string, number>;
let page: string;
let settled: readonly string[];

const scrape = async (): Promise<string> => (await collectRunnerMetrics(await readBacklog())).text;
const grown = (sample: string): number => (after.get(sample) ?? 0) - (before.get(sample) ?? 0);

const runOf = async (graphHash: string): Promise<Run> => {
  const runId = randomUUID();
  await command(desk, runId, desk.people.starter, {
    kind: "start",
    graph_hash: graphHash,
    goal: CANARIES.goal,
    constraints: [],
    inputs: { file: CANARIES.input },
    model: "openai-compatible:fake",
  });
  await drive(desk, runId);

  return readRun(desk, runId);
};

beforeAll(async () => {
  const opened = await openDesk(urls, installation);
  fake = await startFake((_sent, nth) => ANSWERS[nth] ?? { status: 500, body: {} });
  const models = createModels({ OPENAI_BASE_URL: fake.url, OPENAI_MODEL: "fake", OPENAI_API_KEY: CANARIES.key });
  desk = { ...opened, deps: { ...opened.deps, modelsFor: useSameModels(models) } };
  await writeFile(path.join(installation.home, "inbox", CANARIES.input), `From: sender\n\n${CANARIES.result}\n`);
  const tracing = await startTracing("countersign-runner");
  before = samples(await scrape());
  const graphHash = await publishAs(desk, observedGraph(desk), desk.people.builder);
  good = await runOf(graphHash);
  bad = await runOf(graphHash);
  const viewer = callerAs(desk.workspace, "viewer", { id: desk.people.viewer });
  const asked = [viewer.runs.get({ runId: good.state.run }), viewer.runs.get({ runId: CANARIES.asked }), viewer.people.list()];
  settled = (await Promise.allSettled(asked)).map(({ status }) => status);
  page = await scrape();
  after = samples(page);
  await tracing?.close();
}, 120_000);
afterAll(async () => {
  await fake.close();
  await collector.close();
  await desk.mcp.close();
});

const records = () => [...good.records, ...bad.records].map(({ record }) => record);
const events = () => records().flatMap((record) => record.control);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

describe("metrics", () => {
  it("count as many steps and refusals as the ledgers have", () => {
    expect([good.state.status, bad.state.status]).toEqual(["completed", "failed"]);
    const refusals = records().flatMap(({ refusal }) => (refusal ? [refusal.code] : []));
    expect(refusals.length).toBeGreaterThan(0);
    expect(grown('countersign_steps_total{verdict="accepted"}')).toBe(records().length - refusals.length);
    expect(grown('countersign_steps_total{verdict="refused"}')).toBe(refusals.length);
    for (const code of new Set(refusals)) {
      expect(grown(`countersign_refusals_total{code="${code}"}`)).toBe(refusals.filter((each) => each === code).length);
    }
    expect(grown("countersign_commit_batch_records_sum")).toBe(records().length);
    expect(grown("countersign_commit_seconds_count")).toBeLessThanOrEqual(records().length);
    expect(grown("countersign_commit_seconds_count")).toBeGreaterThan(0);
  });

  it("match the ledgers' model calls, tokens and costs", () => {
    const usages = events().flatMap((event) => (event.type === "model_called" ? [event.usage] : []));
    expect(usages).toHaveLength(3);
    const of = 'provider="openai-compatible"';
    expect(grown(`countersign_model_calls_total{${of},outcome="ok"}`)).toBe(usages.length);
    expect(grown(`countersign_model_calls_total{${of},outcome="model_failed"}`)).toBe(1);
    expect(grown(`countersign_model_call_seconds_count{${of}}`)).toBe(fake.sent.length);
    expect(grown(`countersign_model_tokens_total{${of},direction="input"}`)).toBe(sum(usages.map((usage) => usage.input_tokens)));
    expect(grown(`countersign_model_tokens_total{${of},direction="output"}`)).toBe(sum(usages.map((usage) => usage.output_tokens)));
    expect(grown(`countersign_model_micro_usd_total{${of}}`)).toBe(sum(usages.map((usage) => usage.cost_micro_usd)));
  });

  it("match the ledgers' tool outcomes", () => {
    const effects = [good, bad].flatMap(({ state }) => Object.values(state.effects));
    expect(effects).toHaveLength(3);
    for (const outcome of ["ok", "tool_error"] as const) {
      const known = effects.filter((effect) => effect.outcome === outcome).length;
      expect(grown(`countersign_tool_calls_total{outcome="${outcome}"}`)).toBe(known);
      expect(grown(`countersign_tool_call_seconds_count{outcome="${outcome}"}`)).toBe(known);
    }
  });
});

describe("procedures", () => {
  it("each is counted by name and outcome, with a matching span", () => {
    const count = (procedure: string, code: string) =>
      grown(`countersign_procedure_seconds_count{procedure="${procedure}",code="${code}"}`);
    expect([count("runs.get", "ok"), count("runs.get", "bad_request"), count("people.list", "forbidden")]).toEqual([1, 1, 1]);
    expect(settled).toEqual(["fulfilled", "rejected", "rejected"]);
    const spans = collector.spans().filter(({ said }) => said["rpc.method"] !== undefined);
    expect(spans.map(({ name, kind, said }) => `${name} ${kind} ${said["error.type"]}`).toSorted()).toEqual([
      "people.list 2 forbidden",
      "runs.get 2 bad_request",
      "runs.get 2 undefined",
    ]);
  });
});

describe("traces", () => {
  const children = (parent: SentSpan | undefined): readonly SentSpan[] => collector.spans().filter((span) => span.parent === parent?.id);
  const named = (spans: readonly SentSpan[], name: string): readonly SentSpan[] => spans.filter((span) => span.name === name);
  const driveOf = ({ state }: Run): SentSpan | undefined => collector.spans().find(({ said }) => said["countersign.run"] === state.run);

  it("a drive contains its nodes, these their calls, and every commit is in one of them", () => {
    const drives = [driveOf(good), driveOf(bad)];
    for (const drove of drives) {
      expect(drove).toMatchObject({ name: "invoke_workflow Observed", parent: null });
      expect(drove?.said).toMatchObject({ "gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": "Observed" });
    }
    const [read] = named(children(drives[0]), "execute_node tool");
    expect(named(children(read), "execute_tool read_text_file")).toMatchObject([
      { said: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "read_text_file", "countersign.server": "filesystem" } },
    ]);
    const [clerk] = named(children(drives[0]), "invoke_agent Clerk");
    expect(clerk?.said).toMatchObject({ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.id": "planner" });
    expect(named(children(clerk), "execute_tool find_customer")).toHaveLength(1);
    const chats = named(children(clerk), "chat fake");
    expect(chats).toHaveLength(3);
    const commits = named(collector.spans(), "commit");
    expect(commits).toHaveLength(records().length);
    expect(new Set(commits.map(({ trace }) => trace))).toEqual(new Set(drives.map((drove) => drove?.trace)));
  });

  it("a model call names its provider and tokens as its record does", () => {
    const usages = good.records.flatMap(({ record }) =>
      record.control.flatMap((event) => (event.type === "model_called" ? [event.usage] : [])),
    );
    const chats = named(collector.spans(), "chat fake").filter(({ failed }) => !failed);
    expect(chats.map(({ said, kind }) => [said["gen_ai.usage.input_tokens"], said["gen_ai.usage.output_tokens"], kind])).toEqual(
      usages.map((usage) => [usage.input_tokens, usage.output_tokens, 3]),
    );
    expect(chats.map(({ said }) => said["gen_ai.response.model"])).toEqual([undefined, undefined, "fake"]);
    expect(chats.map(({ said }) => said["gen_ai.response.finish_reasons"])).toEqual(["tool_calls", "tool_calls", "stop"]);
    for (const { said } of chats) {
      expect(said).toMatchObject({ "server.address": "127.0.0.1", "server.port": Number(new URL(fake.url).port) });
      expect(said).toMatchObject({ "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai-compatible" });
      expect(said).toMatchObject({ "gen_ai.request.model": "fake", "gen_ai.agent.id": "planner" });
    }
  });

  it("a failure names its kind, and spans hold only their attributes", () => {
    expect(named(collector.spans(), "chat fake").filter(({ failed }) => failed)).toMatchObject([
      { said: { "error.type": "model_failed" } },
    ]);
    expect(collector.spans().filter(({ extras }) => extras > 0)).toEqual([]);
  });

  it("providers receive no trace headers", () => {
    expect(fake.sent).toHaveLength(4);
    const ids = new Set(collector.spans().flatMap(({ id, trace }) => [id, trace]));
    expect(ids.size).toBeGreaterThan(10);
    for (const { headers, body } of fake.sent) {
      expect(Object.keys(headers).filter((name) => ["traceparent", "tracestate", "baggage"].includes(name))).toEqual([]);
      const text = JSON.stringify([headers, body]);
      expect([...ids].filter((id) => text.includes(id))).toEqual([]);
    }
  });
});

describe("run contents", () => {
  it("each canary reached its place", () => {
    const sent = JSON.stringify(fake.sent);
    for (const name of ["result", "prompt", "instructions", "argument", "tool", "key"] as const) expect(sent).toContain(CANARIES[name]);
    const states = JSON.stringify([good.state, bad.state]);
    for (const name of ["goal", "input", "answer", "thought"] as const) expect(states).toContain(CANARIES[name]);
    expect(fake.sent.map(({ body }) => body["reasoning_effort"])).toEqual(fake.sent.map(() => "high"));
  });

  it("appear in no export or page, in any encoding", () => {
    const seen = [...collector.bodies, page].join("\n");
    expect(seen).toContain("invoke_workflow Observed");
    expect(seen).toContain("countersign_steps_total");
    const found = Object.entries(CANARIES).filter(([, canary]) => spellings(canary).some((form) => seen.includes(form)));
    expect(found).toEqual([]);
  });

  it("no run, workspace or graph is in the metrics", () => {
    for (const id of [
      good.state.run,
      bad.state.run,
      good.state.workspace,
      good.state.graphHash,
      "Observed",
      "observed",
      "Clerk",
      "planner",
    ]) {
      expect(page).not.toContain(id);
    }
  });
});
