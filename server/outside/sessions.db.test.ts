import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Json } from "@/lib/json";
import { connectModern, type Called, type Driver } from "@/server/outside/testing/client";
import { decideOpenGate } from "@/server/outside/testing/people";
import { recordsOf } from "@/server/outside/testing/records";
import { openStand, type Stand } from "@/server/outside/testing/fixture";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

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

const connect = async (change: Parameters<Stand["mint"]>[0] = {}) => connectModern(url, (await stand.mint(change)).token);
const LOOK_UP = { action: "look_up", inputs: { order_id: "ord_2001" } };
const begin = (driver: Driver) => driver.call("step", LOOK_UP);

describe("a session", () => {
  test("starts one run for concurrent first steps and accepts one of them", async () => {
    const driver = await connect();
    const session = text(await begin(await connect()), "session");
    expect(session).toMatch(/^[0-9a-f-]{36}$/u);
    const mine = text(await driver.call("step", { action: "nothing" }), "session");
    const answers = await Promise.all(Array.from({ length: 8 }, () => driver.call("step", { ...LOOK_UP, session: mine })));
    expect(new Set(answers.map((answer) => field(answer, "app_id"))).size).toBe(1);
    expect(answers.filter((answer) => field(answer, "error") === null)).toHaveLength(1);
    const records = await recordsOf(stand.desk, text(answers[0] ?? (await begin(driver)), "app_id"));
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index));
  });

  test("begins again after a reset, which cancels its run and keeps the history", async () => {
    const driver = await connect();
    const first = await begin(driver);
    const session = field(first, "session");
    const reset = await driver.call("reset_session", { session });
    expect(reset.payload).toMatchObject({ session, valid_next_actions: ["look_up"], result: { previous_app_id: field(first, "app_id") } });
    expect(field(reset, "app_id")).not.toBe(field(first, "app_id"));
    const history = field(await driver.call("history", { session }), "history");
    expect((history as { action: string }[]).map(({ action }) => action)).toEqual(["look_up", "reset_session"]);
    const again = await driver.call("step", { ...LOOK_UP, session });
    expect(again.payload).toMatchObject({ app_id: field(reset, "app_id"), valid_next_actions: ["propose_refund", "close"] });
  });

  test("runs independently of others with the same token", async () => {
    const driver = await connect();
    const [one, two] = [await begin(driver), await begin(driver)];
    await driver.call("step", { action: "close", session: field(one, "session") });
    const other = await driver.call("state", { session: field(two, "session") });
    expect(other.payload).toMatchObject({ app_id: field(two, "app_id"), valid_next_actions: ["propose_refund", "close"] });
  });
});

describe("a step", () => {
  test("with a key is accepted once and answered with its outcome; another under the key is refused", async () => {
    const driver = await connect();
    const session = field(await begin(driver), "session");
    const inputs = { amount_cents: 100, reason: "Late." };
    const args = { action: "propose_refund", inputs, session, idempotency_key: "one" };
    const first = await driver.call("step", args);
    await driver.call("step", { action: "check", session });
    expect((await driver.call("step", args)).payload).toEqual(first.payload);
    const other = await driver.call("step", { ...args, inputs: { ...inputs, amount_cents: 999 } });
    expect(field(other, "error")).toBe("idempotency_conflict");
  });

  test("expecting another record is refused and changes nothing", async () => {
    const driver = await connect();
    const session = field(await begin(driver), "session");
    const late = await driver.call("step", { action: "close", session, expected_seq: 1 });
    expect(late.payload).toMatchObject({ error: "version_conflict", valid_next_actions: ["propose_refund", "close"] });
  });

  test("that is unknown and one that cannot be reached differ only in their codes", async () => {
    const driver = await connect();
    const session = field(await begin(driver), "session");
    const unknown = await driver.call("step", { action: "refnud", session });
    const blocked = await driver.call("step", { action: "refund", session });
    for (const name of ["message", "next_hint", "valid_next_actions", "next_action_schemas"])
      expect(field(unknown, name)).toEqual(field(blocked, name));
    expect(unknown.payload).toMatchObject({ error: "unknown_action", requested: null });
    expect(field(unknown, "known_actions")).toContain("refund");
    expect(Object.keys(field(blocked, "next_action_schemas") as object)).toEqual(field(blocked, "valid_next_actions"));
  });

  test("that a person was asked for is taken when the person allows it", async () => {
    const driver = await connect();
    const session = field(await begin(driver), "session");
    const inputs = { amount_cents: 100, reason: "Late." };
    const asked = await driver.call("request_approval", { action: "propose_refund", inputs, session, reason: "To be sure." });
    expect(asked.payload).toMatchObject({ waiting_for: { type: "person", reason: "requested" }, valid_next_actions: [] });
    await decideOpenGate(stand.desk, text(asked, "app_id"), "approve");
    await vi.waitFor(async () => expect(field(await driver.call("next", { session }), "valid_next_actions")).toEqual(["check", "close"]), {
      timeout: 20_000,
    });
  });
});

const TOOLS_ALWAYS =
  "step state history next verify fork_at fork_from_past reset_session request_approval list_resources read_resource architect_draft architect_validate architect_publish".split(
    " ",
  );

describe("an answer", () => {
  test("has the same tools before and after, legal actions every time, and in strict mode refusals as errors", async () => {
    const loose = await connect();
    const before = await loose.client.listTools();
    const session = field(await begin(loose), "session");
    expect(await loose.client.listTools()).toEqual(before);
    expect(before.tools.map(({ name }) => name)).toEqual(TOOLS_ALWAYS);
    const strict = await connect({ strictErrors: true, singleBlock: true });
    const [soft, hard] = [await loose.call("step", { action: "refund" }), await strict.call("step", { action: "refund" })];
    expect([soft.isError, soft.texts.length, hard.isError, hard.texts.length]).toEqual([false, 2, true, 1]);
    expect(Object.keys(hard.payload)).toEqual(Object.keys(soft.payload));
    for (const name of ["state", "history", "next", "verify", "list_resources"])
      expect(Array.isArray(field(await loose.call(name, { session }), "valid_next_actions"))).toBe(true);
  });

  test("is readable by address under both names in its session", async () => {
    const driver = await connect();
    const session = field(await begin(driver), "session");
    for (const prefix of ["countersign", "theodosia"]) {
      const next = await driver.call("read_resource", { uri: `${prefix}://next`, session });
      expect(field(next, "text")).toBe('["propose_refund","close"]');
    }
    const ledger = await driver.call("read_resource", { uri: "countersign://ledger", session });
    expect(text(ledger, "text")).not.toMatch(/ord_2001|order_id/);
    const { contents } = await driver.client.readResource({ uri: "countersign://graph/mermaid" });
    expect(JSON.stringify(contents)).toContain("stateDiagram-v2");
    await expect(driver.client.readResource({ uri: "countersign://secrets" })).rejects.toThrow("nothing here");
  });
});

test("a session survives a killed runner; an unanswered call is repeated under its key", async () => {
  const driver = await connect();
  const first = await begin(driver);
  await stand.replaceRunner();
  const close = () => driver.call("step", { action: "close", session: field(first, "session"), idempotency_key: "close" });
  const last = await vi.waitFor(
    async () => {
      const answer = await close();
      if (field(answer, "error") === "runner_silent") throw new Error("no runner has answered yet");

      return answer;
    },
    { timeout: 90_000, interval: 100 },
  );
  expect(last.payload).toMatchObject({ app_id: field(first, "app_id"), valid_next_actions: [], status: "completed" });
});
