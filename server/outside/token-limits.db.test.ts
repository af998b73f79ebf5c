import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { DEFAULT_TOKEN_LIMITS } from "@/lib/outside/token-limits";
import { asAdmin } from "@/server/mcp/testing/registered";
import { query } from "@/server/runner/testing/desk";
import { connectModern } from "@/server/outside/testing/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";

// Whole runs over real HTTP, beside other test files.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const open = await openStand();
let stand: Stand;
beforeAll(async () => {
  stand = await open();
});
afterAll(() => stand.close());

const STEP = { action: "look_up", inputs: { order_id: "ord_2001" } };
const deskUrl = async () => stand.url(await stand.graphId("refund-desk"));
const many = <T>(most: number, work: () => Promise<T>) => Promise.all(Array.from({ length: most }, work));

test("limits a token's runs per 24 hours across steps, resets and forks, without affecting other tokens", async () => {
  const url = await deskUrl();
  const { token } = await stand.mint({ limits: { ...DEFAULT_TOKEN_LIMITS, runs: 1 } });
  const driver = await connectModern(url, token);
  const before = Date.now();
  const first = await driver.call("step", STEP);
  const { session = null } = first.payload;
  const { history } = (await driver.call("history", { session })).payload;
  const { seq } = z.array(z.looseObject({ seq: z.number() })).parse(history)[0]!;
  for (const [tool, given] of [
    ["step", STEP],
    ["reset_session", { session }],
    ["fork_at", { session, sequence_id: seq }],
  ] as const) {
    const { payload } = await driver.call(tool, given);
    expect([tool, payload["error"]]).toEqual([tool, "token_run_limit"]);
    const roomAt = Date.parse(z.string().parse(payload["room_at"]));
    expect(roomAt - before).toBeGreaterThanOrEqual(86_400_000);
    expect(roomAt - Date.now()).toBeLessThan(86_400_000);
    expect(payload["message"]).toMatch(
      /reached its run limit for 24 hours\. There is room again at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/u,
    );
  }
  expect((await driver.call("state", { session })).payload).toMatchObject({
    app_id: first.payload["app_id"],
    valid_next_actions: first.payload["valid_next_actions"],
  });
  const other = await connectModern(url, (await stand.mint({})).token);
  expect((await other.call("step", STEP)).payload["error"] ?? null).toBeNull();
});

test("limits a token's sessions under concurrency and says when there is room", async () => {
  const url = await deskUrl();
  const { id, token } = await stand.mint({ limits: { ...DEFAULT_TOKEN_LIMITS, sessions: 3 } });
  const driver = await connectModern(url, token);
  const answers = await many(12, () => driver.call("step", { action: "no_such_action" }));

  const codes = answers.map(({ payload }) => payload["error"]);
  expect(codes.filter((code) => code === "token_session_limit")).toHaveLength(9);
  const refusal = answers.find(({ payload }) => payload["error"] === "token_session_limit");
  expect(refusal?.payload["message"]).toMatch(/reached its session limit for 24 hours\. There is room again at /u);
  const opened = () => query(stand.desk.urls.admin, "select id from agent_session where token_id = $1", [id]);
  expect(await opened()).toHaveLength(3);
  await asAdmin(stand.desk.urls.admin, "update agent_session set created_at = created_at - interval '25 hours' where token_id = $1", [id]);
  expect((await driver.call("step", STEP)).payload["error"] ?? null).toBeNull();
  expect(await opened()).toHaveLength(4);
});

test("older protocols' handshakes count as sessions and are refused at the limit", async () => {
  const url = await deskUrl();
  const { token } = await stand.mint({ limits: { ...DEFAULT_TOKEN_LIMITS, sessions: 1 } });
  await connectModern(url, token, "legacy");
  await expect(connectModern(url, token, "legacy")).rejects.toThrow(/reached its session limit for 24 hours/u);
});
