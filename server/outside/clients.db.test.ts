import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Json, JsonObject } from "@/lib/json";
import { connectByBridge, connectModern, connectOld, type Called, type Driver } from "@/server/outside/testing/client";
import { decideOpenGate } from "@/server/outside/testing/people";
import { openStand, type Stand } from "@/server/outside/testing/fixture";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

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

const settled = async (driver: Driver, session: string): Promise<Called> => {
  const looked = await driver.call("state", { session });
  if (field(looked, "waiting_for") === null) return looked;
  await new Promise((resolve) => setTimeout(resolve, 100));

  return settled(driver, session);
};

const refund = async (driver: Driver): Promise<Called> => {
  const first = await driver.call("step", { action: "look_up", inputs: { order_id: "ord_2001" } });
  const session = text(first, "session");
  const step = (action: string, inputs: Json = null) => driver.call("step", { action, inputs, session });
  expect(field(await step("propose_refund", { amount_cents: 900, reason: "Arrived broken." }), "error")).toBeNull();
  expect(field(await step("check"), "valid_next_actions")).toEqual(["refund"]);
  const gated = await step("refund");
  expect(gated.payload).toMatchObject({ valid_next_actions: [], waiting_for: { type: "person", action: "refund" } });
  await decideOpenGate(stand.desk, text(gated, "app_id"), "approve");
  expect(field(await settled(driver, session), "valid_next_actions")).toEqual(["reply", "close"]);

  return step("close");
};

describe("completes a seeded graph", () => {
  const finished = { valid_next_actions: [], next_action_schemas: {}, status: "completed" };

  test("by the 2.x client, with the protocol of 2026-07-28 and with the ones before it", async () => {
    const { token } = await stand.mint();
    for (const mode of ["auto", "legacy"] as const) {
      const driver = await connectModern(url, token, mode);
      expect(driver.protocol).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
      expect((await refund(driver)).payload).toMatchObject(finished);
      await driver.close();
    }
  });

  test("by the 1.x client over HTTP, which never names its session", async () => {
    const driver = await connectOld(url, (await stand.mint()).token);
    const first = await driver.call("step", { action: "look_up", inputs: { order_id: "ord_2002" } });
    const last = await driver.call("step", { action: "close" });
    expect(last.payload).toMatchObject({ ...finished, session: field(first, "session"), app_id: field(first, "app_id") });
    await driver.close();
  });

  test("by the 1.x client over stdio, through the command", async () => {
    const driver = await connectByBridge(url, (await stand.mint()).token, stand.desk.installation.home);
    expect((await refund(driver)).payload).toMatchObject(finished);
    await driver.close();
  });

  test("by a script that reads only the legal actions and their inputs", async () => {
    const driver = await connectModern(url, (await stand.mint()).token);
    const given: JsonObject = { order_id: "ord_2001", amount_cents: 100, reason: "Too late." };
    const taken: string[] = [];
    let answer = await driver.call("next");
    for (
      let legal = field(answer, "valid_next_actions");
      Array.isArray(legal) && legal.length > 0;
      legal = field(answer, "valid_next_actions")
    ) {
      const actions: readonly Json[] = legal;
      const action = [...actions].findLast((name) => typeof name === "string") ?? null;
      const schemas = field(answer, "next_action_schemas") as JsonObject;
      const wanted = Object.keys((schemas[String(action)] as JsonObject)["properties"] as JsonObject);
      const inputs = Object.fromEntries(wanted.map((name) => [name, given[name] ?? null]));
      taken.push(String(action));
      answer = await driver.call("step", { action, inputs, session: field(answer, "session") });
      expect(field(answer, "error")).toBeNull();
    }
    expect(taken).toEqual(["look_up", "close"]);
    expect(field(answer, "status")).toBe("completed");
    await driver.close();
  });
});
