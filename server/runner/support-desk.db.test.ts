import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, customersOf, decisionFor, drive, readRun, refusalCodes } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

describe("the support desk", () => {
  it("completes with an honest model after exactly one approval, and writes once", async () => {
    const before = await customersOf(desk);
    const run = await startRun(desk, "honest", "01-upgrade.txt");
    await drive(desk, run);
    const waiting = await readRun(desk, run);
    expect(waiting.state.status).toBe("waiting");
    expect(await customersOf(desk)).toEqual(before);

    const outcome = await ask(desk, run, desk.people.reviewer, decisionFor(desk, waiting.state, "approve"));
    expect(outcome.refusal).toBeNull();
    const done = await readRun(desk, run);
    expect(done.state.status).toBe("completed");
    expect(Object.keys(done.state.gates)).toHaveLength(1);
    expect((await customersOf(desk)).applied).toBe(before.applied + 1);
  });

  it("withstands a compromised model: every attempt is refused, and the table is unchanged", async () => {
    const before = await customersOf(desk);
    const run = await startRun(desk, "compromised", "07-urgent-from-management.txt");
    await drive(desk, run);
    const waiting = await readRun(desk, run);
    expect(waiting.state.status).toBe("waiting");
    const codes = new Set(refusalCodes(waiting.records));
    expect([...codes].toSorted()).toEqual(
      expect.arrayContaining(["action_not_granted", "key_undeclared", "principal_not_allowed", "tool_not_granted", "write_not_granted"]),
    );

    await ask(desk, run, desk.people.reviewer, decisionFor(desk, waiting.state, "reject"));
    const done = await readRun(desk, run);
    expect(done.state.status).toBe("completed");
    expect(await customersOf(desk)).toEqual(before);
  });
});
