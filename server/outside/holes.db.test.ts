import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { jsonSchema, type Json } from "@/lib/json";
import { systemClock } from "@/server/clock";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { connectModern, type Called, type Driver } from "@/server/outside/testing/client";
import { dumpOf, holds, recordsOf, refusalsOf } from "@/server/outside/testing/records";
import { openStand, type Minted, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";
import { collectForks } from "@/server/runner/retention";
import { revokeAgentSession } from "@/server/store/agents/sessions";
import { deriveAgentSeed } from "@/server/security/session-key";
import { sendCommand } from "@/server/web/submit-command";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const CANARY = "canary-Rumpelstilz-0815";

const open = await openStand();
let stand: Stand;
let url: string;
beforeAll(async () => {
  stand = await open();
  url = stand.url(await stand.graphId("refund-desk"));
});
afterAll(() => stand.close());

const field = ({ payload }: Called, name: string): Json => payload[name] ?? null;
const text = (called: Called, name: string): string => {
  const value = field(called, name);
  if (typeof value !== "string") throw new Error(`${name} is no text: ${JSON.stringify(called.payload)}`);

  return value;
};

type Agent = Minted & { readonly driver: Driver };

const agent = async (): Promise<Agent> => {
  const minted = await stand.mint();

  return { ...minted, driver: await connectModern(url, minted.token) };
};

const begin = ({ driver }: Agent): Promise<Called> => driver.call("step", { action: "look_up", inputs: { order_id: "ord_2001" } });

/** Identical to the answer for any unknown id. */
const NOT_FOUND = { error: "not_found", requested: null, app_id: null, session: null, valid_next_actions: ["look_up"] };

test("Theodosia: an empty tenant key does not skip the check: a run of another token or workspace is not there", async () => {
  const owner = await agent();
  const app = text(await begin(owner), "app_id");
  const other = await agent();
  const answers: Called[] = [];
  for (const args of [
    { app_id: app, partition_key: "" },
    { app_id: app },
    { app_id: randomUUID(), partition_key: stand.desk.workspace },
    { app_id: app, partition_key: randomUUID() },
  ])
    answers.push(await other.driver.call("fork_from_past", args));
  answers.push(await owner.driver.call("fork_from_past", { app_id: app, partition_key: randomUUID() }));
  for (const { payload } of answers) expect(payload).toEqual(answers[0]?.payload);
  expect(answers[0]?.payload).toMatchObject(NOT_FOUND);
  expect(await refusalsOf(stand.desk, other.id)).toEqual(Array.from({ length: 4 }, () => "read: not_found"));
});

test("Theodosia: invented, foreign, revoked and ended session handles get one answer, on record", async () => {
  const { workspace, urls } = stand.desk;
  const owner = await agent();
  const [theirs, revoked, over] = [
    text(await begin(owner), "session"),
    text(await begin(owner), "session"),
    text(await begin(owner), "session"),
  ];
  await revokeAgentSession(workspace, revoked, null, systemClock.now());
  await query(urls.admin, "update agent_session set expires_at = now() where id = $1", [over]);
  const [before] = await query<{ runs: string }>(urls.admin, "select count(*) as runs from run");
  const thief = await agent();
  const tried = [
    await thief.driver.call("step", { action: "close", session: theirs }),
    await thief.driver.call("state", { session: theirs }),
    await thief.driver.call("history", { session: CANARY }),
    await thief.driver.call("reset_session", { session: randomUUID() }),
    await owner.driver.call("step", { action: "close", session: revoked }),
    await owner.driver.call("read_resource", { uri: "countersign://state", session: over }),
  ];
  for (const called of tried) {
    expect(called.payload).toEqual(tried[0]?.payload);
    expect(called.isError).toBe(false);
    expect(holds(JSON.stringify(called), CANARY)).toBe(false);
  }
  expect(tried[0]?.payload).toMatchObject(NOT_FOUND);
  expect(await refusalsOf(stand.desk, thief.id)).toEqual(Array.from({ length: 4 }, () => "read: not_found"));
  expect(await refusalsOf(stand.desk, owner.id)).toEqual(["read: not_found", "read: not_found"]);
  expect(await query(urls.admin, "select count(*) as runs from run")).toEqual([before]);
});

test("Theodosia: refusals of forks and resets, denied reads and calls of no known form are on record, each with its code", async () => {
  const reader = await stand.mint({ scopes: ["run.drive"] });
  const { driver, id } = { ...reader, driver: await connectModern(url, reader.token) };
  const first = await driver.call("step", { action: "look_up", inputs: { order_id: "ord_2001" } });
  const [session, run] = [text(first, "session"), text(first, "app_id")];
  const codes: Json[] = [];
  const add = async (name: string, args: Record<string, Json>) => codes.push(field(await driver.call(name, { session, ...args }), "error"));
  await add("fork_at", { sequence_id: 1 });
  await add("state", {});
  await add("read_resource", { uri: "countersign://ledger" });
  await add("step", { action: "refund" });
  await add("step", { action: CANARY });
  await add("step", { action: 7 });
  codes.push(field(await driver.call("reset_session", {}), "error"));
  expect(codes).toEqual([
    "scope_missing",
    "scope_missing",
    "scope_missing",
    "invalid_transition",
    "unknown_action",
    "malformed",
    "no_session",
  ]);
  const denied = ["read: not_found", "read: not_found", "read: not_found"];
  expect(await refusalsOf(stand.desk, id, run)).toEqual([...denied, "step: invalid_transition", "step: unknown_action"]);
  expect(await refusalsOf(stand.desk, id)).toEqual(["read: not_found", "read: not_found"]);
});

test("Theodosia: when an answer is there its record is, committed before it", async () => {
  const caller = await agent();
  const first = await begin(caller);
  const run = text(first, "app_id");
  const kinds = async () => (await recordsOf(stand.desk, run)).map(({ proposal_kind: kind }) => kind);
  expect((await kinds()).filter((kind) => kind === "step")).toHaveLength(1);
  await caller.driver.call("step", { action: "nothing", session: text(first, "session") });
  expect((await kinds()).at(-1)).toBe("step");
});

test("Theodosia: a secret that an agent sends is in clear in no table, no error and no other agent's answer", async () => {
  const caller = await agent();
  const session = text(await begin(caller), "session");
  const step = (action: string, inputs: Json) => caller.driver.call("step", { action, inputs, session });
  const refused = [
    await step("propose_refund", { amount_cents: CANARY, reason: "x" }),
    await step("propose_refund", { amount_cents: 1, reason: "x", [CANARY]: 1 }),
    await step(CANARY, { amount_cents: 1 }),
    await step("propose_refund", CANARY),
  ];
  for (const called of refused) expect(holds(JSON.stringify(called), CANARY)).toBe(false);
  expect(refused.map((called) => field(called, "error"))).toEqual([
    "validation_failed",
    "validation_failed",
    "unknown_action",
    "validation_failed",
  ]);
  expect(field(await step("propose_refund", { amount_cents: 100, reason: CANARY }), "error")).toBeNull();
  expect(holds(await dumpOf(stand.desk), CANARY)).toBe(false);
  const other = await agent();
  expect(holds(JSON.stringify(await other.driver.call("history")), CANARY)).toBe(false);
});

test("Theodosia: every record of a run that an agent drives names who proposed it", async () => {
  const caller = await agent();
  const first = await begin(caller);
  await caller.driver.call("step", { action: "close", session: text(first, "session") });
  const records = await recordsOf(stand.desk, text(first, "app_id"));
  const by = (kind: string) => records.filter(({ proposal_kind }) => proposal_kind === kind).map(({ principal }) => principal);
  for (const principal of [...by("start"), ...by("step")])
    expect(principal).toMatchObject({
      type: "agent",
      token: caller.id,
      session: field(first, "session"),
      owner: stand.desk.people.builder,
    });
  expect(records.every(({ principal }) => principal.type === "agent" || "epoch" in principal)).toBe(true);
});

test("Theodosia: refuses inputs that are too large or too deep on record, as an object or as text", async () => {
  const caller = await agent();
  const first = await begin(caller);
  const deep: Json = jsonSchema.parse(JSON.parse(`${"[".repeat(20)}${"]".repeat(20)}`));
  const deeper = `{"amount_cents":1,"reason":${"[".repeat(200)}${"]".repeat(200)}}`;
  const big = "x".repeat(300_000);
  for (const inputs of [
    { amount_cents: 1, reason: big },
    JSON.stringify({ amount_cents: 1, reason: big }),
    { amount_cents: 1, reason: deep },
    deeper,
  ]) {
    const answer = await caller.driver.call("step", { action: "propose_refund", inputs, session: text(first, "session") });
    expect(field(answer, "error")).toBe("validation_failed");
    expect(JSON.stringify(answer.payload).length).toBeLessThan(20_000);
  }
  const refusals = await refusalsOf(stand.desk, caller.id, text(first, "app_id"));
  expect(refusals).toEqual(Array.from({ length: 4 }, () => "step: validation_failed"));
});

test("Theodosia: a fork inherits cells and nothing else, is kept for a time, then collected, and still verifies", async () => {
  const { urls, deps } = stand.desk;
  const caller = await agent();
  const first = await begin(caller);
  const session = text(first, "session");
  await caller.driver.call("step", { action: "propose_refund", inputs: { amount_cents: 100, reason: CANARY }, session });
  const history = field(await caller.driver.call("history", { session }), "history");
  const entry = Array.isArray(history) ? jsonSchema.parse(history[0]) : null;
  const forked = await caller.driver.call("fork_at", { session, sequence_id: (entry as { seq: number }).seq });
  expect(forked.payload).toMatchObject({ valid_next_actions: ["propose_refund", "close"], result: { from_action: "look_up" } });
  const fork = text(forked, "app_id");
  await caller.driver.call("step", { action: "close", session });
  const [kept] = await query<{ days: number }>(
    urls.admin,
    "select round(extract(epoch from retain_until - created_at) / 86400)::int as days from run where id = $1",
    [fork],
  );
  expect(kept?.days).toBe(30);
  await query(urls.admin, "update run set retain_until = now() where id = $1", [fork]);
  closeRunBus();
  await useDatabase(urls.runner);
  await collectForks(deps);
  await useDatabase(urls.web);
  const [row] = await query<{ collected: boolean; bytes: string }>(
    urls.admin,
    "select collected_at is not null as collected, (select coalesce(sum(length(sealed)), 0) from cell where run_id = run.id) as bytes from run where id = $1",
    [fork],
  );
  expect(row).toEqual({ collected: true, bytes: "0" });
  expect((await recordsOf(stand.desk)).at(-1)?.control).toMatchObject([{ type: "cells_shredded", run: fork, reason: "retention_over" }]);
  expect((await caller.driver.call("verify", { session })).payload).toMatchObject({ ok: true, app_id: fork, problems: [] });
});

test("Theodosia: a token decides no approval, by no tool and not past the endpoint either", async () => {
  const caller = await agent();
  const tools = await connectModern(url, caller.token);
  const { tools: listed } = await tools.client.listTools();
  expect(listed.map(({ name }) => name).filter((name) => /decide|approve|resume/.test(name))).toEqual([]);
  const first = await begin(caller);
  const [session, runId] = [text(first, "session"), text(first, "app_id")];
  const digest = "0".repeat(64);
  await sendCommand(systemClock.id(), {
    workspaceId: stand.desk.workspace,
    author: { type: "agent", token: caller.id, session, signer: { type: "token", key: deriveAgentSeed(caller.token) } },
    runId,
    body: {
      kind: "decision",
      approval_id: randomUUID(),
      transition_digest: digest,
      view_digest: digest,
      decision: "approve",
      nonce: randomUUID(),
    },
  });
  expect(await refusalsOf(stand.desk, caller.id, runId)).toEqual(["decision: principal_not_allowed"]);
});
