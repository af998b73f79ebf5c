import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { shopSchema } from "@/server/mcp/shop/data";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openLedger } from "@/server/runner/load";
import { bundleChild, leaseOver, runRunner } from "@/server/runner/testing/runner-process";
import { command } from "@/server/runner/testing/desk";
import { decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { finish, findGates, keptBy, openDemo, startDemoRun, type Decide, type Demo } from "@/server/seed/testing/demo";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const LEASE_MS = 2_000;

const urls = await testDatabase("runner");
const installation = await testInstallation();
let demo: Demo;

beforeAll(async () => {
  demo = await openDemo(urls, installation);
  await bundleChild(installation);
}, 120_000);
afterAll(() => demo.desk.mcp.close());

const STOP = new Error("the undo is asked for");
const untilUndo: Decide = ({ reason }) => {
  if (reason === "undo") throw STOP;

  return "approve";
};

test.each([
  { name: "once the release is allowed", afterRecord: 1, afterCall: null },
  { name: "once the release is announced", afterRecord: 2, afterCall: null },
  { name: "once the shop has released, with the result lost", afterRecord: null, afterCall: 1 },
  { name: "once the release is recorded", afterRecord: 3, afterCall: null },
])(
  "a runner killed $name: another one undoes the rest, releases once, asks once, and the ledger verifies",
  async ({ afterRecord, afterCall }) => {
    const desk = demo.of("order-desk");
    const runId = await startDemoRun(desk, "honest", "Handle the order", { order_id: "ord_2002" });
    await expect(finish(desk, runId, untilUndo)).rejects.toBe(STOP);
    const waiting = await readRun(desk, runId);
    await command(desk, runId, desk.people.reviewer, decisionFor(desk, waiting.state, "approve"));

    const cut = { dieAfterRecord: afterRecord, dieAfterCall: afterCall };
    expect(await runRunner({ desk: demo.desk, runId, leaseMs: LEASE_MS, ...cut })).toBe("SIGKILL");
    await leaseOver(demo.desk, runId);
    await drive(desk, runId);

    const { state, records } = await readRun(desk, runId);
    expect(state.status).toBe("failed");
    expect(state.compensation.map(({ outcome }) => outcome)).toEqual(["done"]);
    expect(findGates(records).filter((gate) => gate === "reserve: undo")).toHaveLength(1);
    const shop = shopSchema.parse(await keptBy(installation, "shop"));
    expect(shop.reservations.at(-1)).toMatchObject({ order_id: "ord_2002", status: "released" });
    expect(shop.charges).toEqual([]);
    const ledger = await openLedger(desk.deps.vault, { workspaceId: desk.workspace, runId, version: state.version, digest: state.head });
    expect(await verifyLedger(ledger, await listPublicKeys())).toMatchObject({ ok: true });
  },
  60_000,
);
