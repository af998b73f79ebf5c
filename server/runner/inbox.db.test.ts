import { afterAll, beforeAll, expect, test } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

test("the inbox row names a gate's authority and excluded deciders, and each decision adds its author", async () => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const rows = () =>
    query<Record<string, unknown>>(
      urls.admin,
      "select status, authority, risk, signals, agent, steered, signature, barred, resolved_at is null as waits from approval where run_id = $1",
      [run],
    );
  const { starter, builder, reviewer } = desk.people;
  expect(await rows()).toEqual([
    {
      status: "open",
      authority: "write",
      risk: "medium",
      signals: ["steered", "first_tool"],
      agent: null,
      steered: true,
      signature: null,
      barred: [starter, builder],
      waits: true,
    },
  ]);
  await ask(desk, run, reviewer, decisionFor(desk, (await readRun(desk, run)).state, "approve"));
  expect(await rows()).toMatchObject([{ status: "approved", barred: [starter, builder, reviewer], waits: false }]);
});
