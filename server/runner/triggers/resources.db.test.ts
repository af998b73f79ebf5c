import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@/server/clock";
import { asAdmin } from "@/server/mcp/testing/registered";
import { legacyResourceServer, modernResourceServer, RESOURCE_URI } from "@/server/mcp/testing/resource-server";
import type { McpService } from "@/server/mcp/service";
import { openShelf, type Clocked } from "@/server/runner/testing/resources";
import { driveOn, listEvents, listRuns, look, openTriggerWorld, publishOrders, readRun } from "@/server/runner/testing/triggers";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
let nowMs = systemClock.now();
let clocked: Clocked;

beforeAll(async () => {
  const world = await openTriggerWorld(urls, () => nowMs);
  clocked = { world, pass: (ms) => (nowMs += ms) };
});

const LONG_MS = 60_000;

describe("a change of a resource", () => {
  it("starts a run with the text, untrusted and with the event in its provenance", async () => {
    const { world } = clocked;
    const inputs = { order: "event.text + ', ' + event.mime_type + ', ' + event.uri" };
    const { graphId, say, poll } = await openShelf(clocked, { change: { inputs } });
    await say("Order 7");
    await poll();
    const [run, ...others] = await listRuns(world, graphId);
    expect(others).toEqual([]);
    await driveOn(world, run!.id);
    const { state } = await readRun(world, run!.id);
    expect(state.start).toMatchObject({ initiator: world.publisher, trigger: "shelf" });
    expect(state.cells[0]).toMatchObject({
      content: { value: `Order 7, text/plain, ${RESOURCE_URI}` },
      label: { integrity: "untrusted", provenance: [expect.stringMatching(/^trigger:shelf\/\d+\.1\.[0-9a-f]{32}$/u)] },
    });
    expect(await listEvents(world, graphId)).toMatchObject([{ status: "started", kind: "mcp_resource", size: 0 }]);
  });

  it("counts once, however often it is read, and again when the content comes back", async () => {
    const { world } = clocked;
    const { graphId, say, poll } = await openShelf(clocked);
    await say("A");
    await poll();
    await say("B");
    await say("A");
    await poll();
    const events = await listEvents(world, graphId);
    expect(events.map(({ status }) => status)).toEqual(["started", "queued", "queued"]);
    const ids = events.map(({ event_id: id }) => id?.split(".") ?? []);
    expect(ids.map(([, count]) => count)).toEqual(["1", "2", "3"]);
    expect(ids[2]?.[2]).toBe(ids[0]?.[2]);
  });

  it("does not reveal a content that can be guessed", async () => {
    const { world } = clocked;
    const { graphId, trigger, say, poll } = await openShelf(clocked);
    const other = await publishOrders(world, [trigger]);
    await poll();
    await say("yes");
    const digestIn = async (id: string) => (await listEvents(world, id))[0]?.event_id?.split(".")[2];
    const digests = [await digestIn(graphId), await digestIn(other.graphId)];
    expect(digests).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/u), expect.stringMatching(/^[0-9a-f]{32}$/u)]);
    expect(digests[0]).not.toBe(digests[1]);
  });

  it.each(["queue", "replace", "drop"] as const)("takes turns by %s", async (concurrency) => {
    const { say, summary } = await openShelf(clocked, { change: { concurrency } });
    await say("A");
    await say("B");
    expect(await summary()).toEqual(["started", concurrency === "drop" ? "trigger_busy" : "queued"]);
  });

  it("is refused on record when it is too large, no text, several, or does not fit, once each", { timeout: LONG_MS }, async () => {
    const { world } = clocked;
    const { graphId, say, poll, summary } = await openShelf(clocked);
    for (const contents of [["x".repeat(100_001)], [{ blob: "AAAA" }], ["A", "B"], ["x".repeat(41)], []]) {
      await say(...contents);
      await poll();
    }
    expect(await summary()).toEqual(["trigger_too_large", "trigger_payload", "trigger_payload", "value_invalid", "trigger_payload"]);
    expect(await listRuns(world, graphId)).toEqual([]);
  });
});

const SERVERS = { modern: modernResourceServer, legacy: legacyResourceServer };

describe.each(["modern", "legacy"] as const)("a subscription to a %s server", (era) => {
  it("reads within seconds of an announced change, and once for a flood", { timeout: LONG_MS }, async () => {
    const { world, pass } = clocked;
    const server = await SERVERS[era]();
    const { graphId, row, readNow, summary } = await openShelf(clocked, { server, change: { poll_seconds: 600 } });
    expect((await row()).cursor?.at.isSubscribed).toBe(true);
    expect(await readNow()).toBe(0);
    const before = server.reads();
    server.put("Order 8");
    for (let sent = 0; sent < 500; sent += 1) server.announce();
    pass(3_000);
    await expect.poll(() => readNow(), { timeout: 10_000 }).toBe(1);
    await look(world);
    expect(await summary()).toEqual(["started"]);
    expect(server.reads()).toBe(before + 1);
    pass(10_000);
    for (let round = 0; round < 3; round += 1) await readNow();
    await look(world);
    expect(await listEvents(world, graphId)).toHaveLength(1);
  });
});

describe("a resource", () => {
  it("is polled where the server has no subscriptions", async () => {
    const server = await modernResourceServer({ subscribe: false });
    const { row, say, summary, readNow } = await openShelf(clocked, { server, change: { poll_seconds: 60 } });
    expect((await row()).cursor?.at.isSubscribed).toBe(false);
    await say("Order 9");
    expect(await summary()).toEqual(["started"]);
    server.announce();
    expect(await readNow()).toBe(0);
  });

  it("is read at most every three seconds, however often it changes", { timeout: LONG_MS }, async () => {
    const { pass } = clocked;
    const { server, row, readNow } = await openShelf(clocked, { change: { poll_seconds: 600 } });
    pass(1_000);
    server.put("C");
    server.announce();
    await expect
      .poll(async () => {
        expect(await readNow()).toBe(0);

        return (await row()).due_at.getTime() - nowMs;
      })
      .toBe(2_000);
    pass(2_000);
    expect(await readNow()).toBe(1);
  });

  it("keeps its position over a new version, and begins again at another resource", async () => {
    const { world } = clocked;
    const { graphId, id, trigger, row, say } = await openShelf(clocked);
    await say("A");
    const { cursor } = await row();
    await publishOrders(world, [{ ...trigger, concurrency: "drop" }], { graphId, id });
    expect((await row()).cursor).toEqual(cursor);
    if (trigger.kind !== "mcp_resource") throw new Error("another kind");
    await publishOrders(world, [{ ...trigger, uri: "orders://other" }], { graphId, id });
    expect((await row()).cursor).toBeNull();
  });

  it("can't be said to have changed by the web process", async () => {
    const insert =
      "insert into trigger_event (workspace_id, id, graph_id, trigger, body, kind) values ($1, $1, $1, 'shelf', '', 'mcp_resource')";
    await expect(queryOn(urls.web, insert, [clocked.world.workspace])).rejects.toThrow(/permission denied/u);
  });

  it("is not taken from an event that the runner did not seal", async () => {
    const { world } = clocked;
    const { graphId, summary } = await openShelf(clocked);
    await asAdmin(
      urls.admin,
      "insert into trigger_event (workspace_id, id, graph_id, trigger, body, kind) values ($1, gen_random_uuid(), $2, 'shelf', 'x', 'mcp_resource')",
      [world.workspace, graphId],
    );
    await look(world);
    expect(await summary()).toEqual(["command_forged"]);
  });
});

describe("a fleet", () => {
  it("reads a resource by one runner at a time", async () => {
    const { world, pass } = clocked;
    const { graphId, server, readNow } = await openShelf(clocked);
    server.put("Order 4");
    pass(60_000);
    const counts = await Promise.all([1, 2, 3].map(() => readNow()));
    expect(counts.toSorted((one, other) => one - other)).toEqual([0, 0, 1]);
    await look(world);
    expect(await listRuns(world, graphId)).toHaveLength(1);
  });

  it("leaves a resource to the next runner when one stops", async () => {
    const { world, pass } = clocked;
    const { server, readNow, summary } = await openShelf(clocked);
    server.put("Order 6");
    pass(60_000);
    await readNow(undefined, AbortSignal.abort());
    expect(await summary()).toEqual([]);
    expect(await readNow()).toBe(1);
    await look(world);
    expect(await summary()).toEqual(["started"]);
  });

  it("neither loses nor doubles a change of a runner that was killed, or that comes back late", { timeout: LONG_MS }, async () => {
    const { world, pass } = clocked;
    const { graphId, server, mcp, readNow, poll, summary } = await openShelf(clocked);
    server.put("Order 5");
    const [asked, resumed] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const slow: McpService["resources"] = {
      takeChanged: () => [],
      read: async (target, signal) => {
        const answer = await mcp.resources.read(target, signal);
        asked.resolve(null);
        await resumed.promise;

        return answer;
      },
    };
    pass(60_000);
    const late = readNow(slow);
    await asked.promise;
    expect(await readNow()).toBe(0);
    pass(180_000);
    await poll();
    expect(await listRuns(world, graphId)).toHaveLength(1);
    resumed.resolve(null);
    await late;
    await poll();
    expect(await summary()).toEqual(["started"]);
  });
});
