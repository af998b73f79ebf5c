import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@/server/clock";
import { asAdmin } from "@/server/mcp/testing/registered";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { setStopAsOperator } from "@/server/runner/stop-command";
import { openShelf, type Clocked } from "@/server/runner/testing/resources";
import { listRuns, openTriggerWorld } from "@/server/runner/testing/triggers";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
let offsetMs = 0;
let clocked: Clocked;

beforeAll(async () => {
  const world = await openTriggerWorld(urls, () => systemClock.now() + offsetMs);
  clocked = { world, pass: (ms) => (offsetMs += ms) };
});

type Shelf = Awaited<ReturnType<typeof openShelf>>;

const tryReading = async (shelf: Shelf, poll: () => Promise<unknown> = shelf.poll) => {
  const before = shelf.server.reads();
  shelf.server.put("Order 7");
  await poll();
  const { fault } = await shelf.row();

  return { fault, reads: shelf.server.reads() - before, runs: (await listRuns(clocked.world, shelf.graphId)).length };
};

const unread = (fault: string) => ({ fault, reads: 0, runs: 0 });

describe("a server is not read", () => {
  it.each([
    ["suspended", "status = 'suspended'"],
    ["drifted", "status = 'drifted'"],
    ["revoked", "status = 'revoked'"],
    ["not reviewed", "pinned_identity = null"],
    ["without a pinned tool", "name = name"],
  ])("that is %s", async (what, change) => {
    const shelf = await openShelf(clocked);
    const { world } = clocked;
    const { clock, vault } = world.deps;
    const mcp = createLocalMcp({ clock, vault, egress: { allowOrigins: [shelf.server.origin] } });
    await asAdmin(urls.admin, `update mcp_server set ${change} where id = $1`, [shelf.serverId]);
    if (what === "without a pinned tool") await asAdmin(urls.admin, "delete from mcp_tool where server_id = $1", [shelf.serverId]);
    clocked.pass(60_000);
    // Without a ledger, so that the row's own status decides.
    expect(await tryReading(shelf, () => shelf.readNow(mcp.resources))).toEqual(unread("server_inactive"));
    await mcp.close();
  });

  it("that a row alone lets in", async () => {
    const shelf = await openShelf(clocked, { agents: ["clerk"] });
    expect(await tryReading(shelf)).toEqual(unread("server_not_allowed"));
    await asAdmin(urls.admin, "update mcp_server set allowed_agents = '[\"node\"]' where id = $1", [shelf.serverId]);
    clocked.pass(600_000);
    expect(await tryReading(shelf)).toEqual(unread("server_inactive"));
  });

  it("whose tools changed since the review", async () => {
    const shelf = await openShelf(clocked);
    shelf.server.drift();
    expect(await tryReading(shelf)).toEqual(unread("server_drifted"));
    clocked.pass(600_000);
    expect(await tryReading(shelf)).toEqual(unread("server_inactive"));
  });

  it("whose tools the version pins in another form", async () => {
    const shelf = await openShelf(clocked, { pin: "ab".repeat(32) });
    expect((await shelf.row()).fault).toBe("server_drifted");
    clocked.pass(600_000);
    expect(await tryReading(shelf)).toEqual(unread("server_drifted"));
  });

  it("at an address that is not allowed", async () => {
    const shelf = await openShelf(clocked);
    const { clock, vault, authority } = clocked.world.deps;
    const mcp = createLocalMcp({ clock, vault, authority, egress: { allowOrigins: [] } });
    clocked.pass(60_000);
    expect(await tryReading(shelf, () => shelf.readNow(mcp.resources))).toEqual(unread("server_inactive"));
    await mcp.close();
  });

  it("while all work is stopped", async () => {
    const shelf = await openShelf(clocked);
    const { deps, workspace } = clocked.world;
    await setStopAsOperator(deps, deps.authority, workspace, true);
    expect(await tryReading(shelf)).toEqual(unread("stopped"));
    await setStopAsOperator(deps, deps.authority, workspace, false);
    await shelf.poll();
    expect(await listRuns(clocked.world, shelf.graphId)).toHaveLength(1);
  });
});

describe("a fault", () => {
  it("says why, rests longer each time whatever is announced, and loses no change", async () => {
    const shelf = await openShelf(clocked, { change: { uri: "orders://missing" } });
    const { row, readNow, mcp, serverId: server } = shelf;
    const { workspace } = clocked.world;
    const announced = { ...mcp.resources, takeChanged: () => [{ workspace, server, uri: "orders://missing" }] };
    const rests: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      const { fault, due_at: due } = await row();
      expect(fault).toBe("resource_refused");
      rests.push(Math.round((due.getTime() - systemClock.now() - offsetMs) / 60_000));
      expect(await readNow(announced)).toBe(0);
      offsetMs = due.getTime() - systemClock.now() + 1;
      expect(await readNow()).toBe(1);
    }
    expect(rests).toEqual([1, 2, 4]);
  });

  it("ends with the next answer", async () => {
    const shelf = await openShelf(clocked);
    const broken = { takeChanged: () => [], read: () => Promise.resolve({ ok: false, fault: "unreachable" } as const) };
    clocked.pass(60_000);
    await shelf.readNow(broken);
    expect(await shelf.row()).toMatchObject({ fault: "unreachable", cursor: { at: { failures: 1, isSubscribed: false } } });
    shelf.server.put("Order 8");
    await shelf.poll();
    expect(await shelf.row()).toMatchObject({ fault: null, cursor: { at: { failures: 0 } } });
    expect(await shelf.summary()).toEqual(["started"]);
  });
});
