import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { asAdmin } from "@/server/mcp/testing/registered";
import { MAX_RUNS_PER_DAY } from "@/server/outside/run-limit";
import { connectModern } from "@/server/outside/testing/client";
import { openStand, type Stand } from "@/server/outside/testing/stand";

// Whole runs over real HTTP, beside other test files.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const open = await openStand();
let stand: Stand;
beforeAll(async () => {
  stand = await open();
});
afterAll(() => stand.close());

test("a token begins only so many runs within 24 hours, by steps, resets and forks alike, and another token is not held back", async () => {
  const url = stand.url(await stand.graphId("refund-desk"));
  const step = { action: "look_up", inputs: { order_id: "ord_2001" } };
  const driver = await connectModern(url, (await stand.mint({})).token);
  const first = await driver.call("step", step);
  const { session = null } = first.payload;
  const { history } = (await driver.call("history", { session })).payload;
  const { seq } = z.array(z.looseObject({ seq: z.number() })).parse(history)[0]!;
  await asAdmin(
    stand.desk.urls.admin,
    `insert into agent_session_run (workspace_id, session_id, ordinal, run_id, cause, at)
     select workspace_id, id, -n, gen_random_uuid(), 'reset', now() from agent_session, generate_series(1, $2) as n where id = $1`,
    [session, MAX_RUNS_PER_DAY - 1],
  );
  for (const [tool, given] of [
    ["step", step],
    ["reset_session", { session }],
    ["fork_at", { session, sequence_id: seq }],
  ] as const) {
    expect([tool, (await driver.call(tool, given)).payload["error"]]).toEqual([tool, "token_run_limit"]);
  }
  expect((await driver.call("state", { session })).payload).toMatchObject({
    app_id: first.payload["app_id"],
    valid_next_actions: first.payload["valid_next_actions"],
  });
  const other = await connectModern(url, (await stand.mint({})).token);
  expect((await other.call("step", step)).payload["error"] ?? null).toBeNull();
});
