import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive, readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const frozen = async (run: string) =>
  query<{ frozen: string | null; version: number }>(urls.admin, "select frozen, version from run where id = $1", [run]);

describe("a database that does not answer", () => {
  it("freezes no run whose version was unreadable: it continues when the database is back", async () => {
    const run = await startRun(desk, "honest", "01-upgrade.txt");
    await drive(desk, run);
    const [before] = await frozen(run);
    await query(urls.admin, "revoke select on graph_version from countersign_runner");
    await expect(drive(desk, run)).rejects.toThrow(/permission denied|denied access/iu);
    expect(await frozen(run)).toEqual([before]);
    await query(urls.admin, "grant select on graph_version to countersign_runner");
    await drive(desk, run);
    expect((await readRun(desk, run)).state.status).toBe("waiting");
  });

  it("fails no node: the run stays where it was, and the node runs when the database is back", async () => {
    const run = await startRun(desk, "honest", "01-upgrade.txt");
    let isGone = true;
    const deps = {
      ...desk.deps,
      modelsFor: async (workspace: string) => {
        if (isGone) await new pg.Client({ host: "127.0.0.1", port: 1 }).connect();

        return desk.deps.modelsFor(workspace);
      },
    };
    await expect(drive({ ...desk, deps }, run)).rejects.toThrow("ECONNREFUSED");
    const { state } = await readRun(desk, run);
    expect([state.status, state.retryCount, state.lastError]).toEqual(["running", 0, null]);
    isGone = false;
    await drive({ ...desk, deps }, run);
    const after = await readRun(desk, run);
    expect([after.state.status, after.state.lastError]).toEqual(["waiting", null]);
  });
});
