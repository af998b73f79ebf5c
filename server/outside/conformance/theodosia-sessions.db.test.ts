/** Theodosia checks 19 to 30 and 42 (docs/decisions/conformance.md): concurrent agents and sessions. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isJsonObject, type Json } from "@/lib/json";
import { field, legal, openChecks, text, type Agent, type CheckDesk } from "@/server/outside/testing/check-desk";
import type { Called } from "@/server/outside/testing/client";
import { recordsOf, refusalsOf, settlePlaces } from "@/server/outside/testing/records";
import { query } from "@/server/runner/testing/desk";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const open = await openChecks();
let checks: CheckDesk;
beforeAll(async () => {
  checks = await open();
});
afterAll(() => checks.stand.close());

const MARIA = { email: "maria.lindqvist@nordlicht.example" };
const counted = (called: Called): Json => {
  const state = field(called, "state");

  return isJsonObject(state) ? (state["counted"] ?? 0) : null;
};
const count = (agent: Agent, session: Json = null) => agent.call("step", { action: "count", session });

const countInTurn = async (agent: Agent, session: string): Promise<number> => {
  const answer = await count(agent, session);
  if (field(answer, "error") === null) return 0;
  expect(field(answer, "error")).toBe("approval_pending");

  return 1 + (await countInTurn(agent, session));
};

test("19. ten counts at once in one session end at ten", async () => {
  const agent = await checks.agent("counter");
  const session = text(await agent.call("step", { action: "nothing" }), "session");
  await Promise.all(Array.from({ length: 10 }, () => countInTurn(agent, session)));
  expect(counted(await agent.call("state", { session }))).toBe(10);
});

test("20. two sessions go on independently, and one does not wait for the other's slow action", async () => {
  const [slow, quick] = [await checks.agent("patient"), await checks.agent("patient")];
  const [first, second] = [text(await count(slow), "session"), text(await count(quick), "session")];
  const held = await checks.holdCustomers();
  let isOver = false;
  const asked = slow.call("step", { action: "find", inputs: MARIA, session: first }).finally(() => {
    isOver = true;
  });
  const meanwhile = await count(quick, second).finally(() => void held.letGo());
  expect([counted(meanwhile), isOver]).toEqual([2, false]);
  expect(legal(await asked)).toEqual(["end"]);
  expect(counted(await slow.call("state", { session: first }))).toBe(1);
});

test("21. the handle goes on with the same run, and every answer names it: done, refused and begun again", async () => {
  const agent = await checks.agent("counter");
  const first = await count(agent);
  const session = text(first, "session");
  const answers = [
    await count(agent, session),
    await agent.call("step", { action: "nothing", session }),
    await agent.call("step", { action: "find", inputs: { email: 1 }, session }),
    await agent.call("fork_at", { session }),
    await agent.call("state", { session }),
  ];
  for (const answer of answers) expect(answer.payload).toMatchObject({ session, app_id: field(first, "app_id") });
  const reset = await agent.call("reset_session", { session });
  expect(field(reset, "session")).toBe(session);
  expect(counted(await count(agent, session))).toBe(1);
});

test("22. handles used in turn never see each other's state", async () => {
  const agent = await checks.agent("counter");
  const sessions = [text(await count(agent), "session"), text(await count(agent), "session")];
  for (const turns of [1, 2, 3]) {
    const [one, other] = [await count(agent, sessions[0]), await agent.call("state", { session: sessions[1] ?? null })];
    expect([counted(one), counted(other)]).toEqual([turns + 1, 1]);
  }
});

test("23. a first call that is refused names the handle under which the next one goes on", async () => {
  const agent = await checks.agent("counter");
  const refused = await agent.call("step", { action: "cuont" });
  expect(field(refused, "error")).toBe("unknown_action");
  const [name] = legal(refused) as string[];
  const done = await agent.call("step", { action: name ?? "", session: text(refused, "session") });
  expect([field(done, "error"), counted(done), field(done, "app_id")]).toEqual([null, 1, field(refused, "app_id")]);
});

test("25. a session keeps its run and history however many others begin; one that was idle too long is gone, and is not begun again", async () => {
  const agent = await checks.agent("counter");
  const session = text(await count(agent), "session");
  const others = await Promise.all(Array.from({ length: 10 }, () => checks.agent("counter")));
  await Promise.all(others.map((other) => count(other)));
  expect(counted(await count(agent, session))).toBe(2);
  expect(field(await agent.call("history", { session }), "history")).toHaveLength(2);
  const { admin } = checks.stand.desk.urls;
  await query(admin, "update agent_session set expires_at = now() where id = $1", [session]);
  const runs = await checks.count("run");
  expect((await count(agent, session)).payload).toMatchObject({ error: "not_found", session: null, app_id: null });
  expect(await checks.count("run")).toBe(runs);
});

test("26. who only reads leaves nothing behind; the first step does, and so does the first refusal", async () => {
  const left = async () => [await checks.count("run"), await checks.count("agent_session"), await checks.count("ledger_record")];
  const reader = await checks.agent("counter");
  await settlePlaces(checks.stand.desk);
  const before = await left();
  await reader.client.listTools();
  await reader.client.readResource({ uri: "countersign://graph" });
  for (const name of ["next", "state", "history", "verify"]) expect(field(await reader.call(name), "error")).toBeNull();
  await settlePlaces(checks.stand.desk);
  expect(await left()).toEqual(before);
  const refused = await reader.call("step", { action: "nothing" });
  expect((await recordsOf(checks.stand.desk, text(refused, "app_id"))).at(-1)?.refusal?.code).toBe("unknown_action");
  const taken = await count(await checks.agent("counter"));
  expect((await recordsOf(checks.stand.desk, text(taken, "app_id"))).length).toBeGreaterThan(1);
  const [runs = 0, sessions = 0] = before;
  expect((await left()).slice(0, 2)).toEqual([runs + 2, sessions + 2]);
});

test("30. each fork that cannot be says why by a code of its own, and moves nothing", async () => {
  const agent = await checks.agent("counter");
  const first = await count(agent);
  const session = text(first, "session");
  await agent.call("step", { action: "nothing", session });
  const history = field(await agent.call("history", { session }), "history") as { seq: number; refused: boolean }[];
  const [taken, refusal] = [history.find(({ refused }) => !refused)?.seq ?? -1, history.find(({ refused }) => refused)?.seq ?? -1];
  const errorOf = async (name: string, args: Record<string, Json>) => field(await agent.call(name, args), "error");
  expect(await errorOf("fork_at", { sequence_id: taken })).toBe("no_session");
  expect(await errorOf("fork_at", { session })).toBe("missing_sequence_id");
  expect(await errorOf("fork_at", { session, sequence_id: 999 })).toBe("unknown_sequence_id");
  expect(await errorOf("fork_at", { session, sequence_id: refusal })).toBe("cannot_fork_to_refusal");
  expect(await errorOf("fork_from_past", { session, app_id: "nothing of mine" })).toBe("not_found");
  expect((await agent.call("state", { session })).payload).toMatchObject({ app_id: field(first, "app_id") });
  const forked = await agent.call("fork_at", { session, seq: taken });
  expect([field(forked, "error"), counted(forked)]).toEqual([null, 1]);
  const markers = field(await agent.call("history", { session }), "history") as { seq: number; action: string | null; app_id: string }[];
  const marker = markers.find(({ action, app_id: run }) => action === "fork_at" && run === field(forked, "app_id"));
  expect(await errorOf("fork_at", { session, sequence_id: marker?.seq ?? -1 })).toBe("cannot_fork_to_meta_entry");
});

test("42. refusals are in the chain: each is a record that the next one hangs on, and the whole verifies", async () => {
  const agent = await checks.agent("counter");
  const session = text(await count(agent), "session");
  await agent.call("step", { action: "nothing", session });
  await agent.call("step", { action: "end", session, expected_seq: 0 });
  await agent.call("step", { action: "find", inputs: {}, session });
  const last = await count(agent, session);
  const run = text(last, "app_id");
  expect(await refusalsOf(checks.stand.desk, agent.id, run)).toEqual([
    "step: unknown_action",
    "step: version_conflict",
    "step: validation_failed",
  ]);
  const ledger = await agent.call("read_resource", { uri: "countersign://ledger", session });
  const chain = JSON.parse(text(ledger, "text")) as { digest: string; parent: string }[];
  expect(chain.slice(1).map(({ parent }) => parent)).toEqual(chain.slice(0, -1).map(({ digest }) => digest));
  const verified = await agent.call("verify", { session });
  expect(verified.payload).toMatchObject({ ok: true, problems: [], entries: chain.length, head_hash: chain.at(-1)?.digest });
});
