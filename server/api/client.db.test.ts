import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { serviceScopeSchema } from "@/lib/engine/principal";
import { CountersignError, createClient, listAll, type Client } from "@/lib/public/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";
import { withProxy } from "./testing/proxy";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let token: string;
let client: Client;
let graphId: string;

beforeAll(async () => {
  stand = await open();
  graphId = await stand.graphId("support-desk");
  token = (await stand.mint({ ownerId: stand.desk.people.admin, scopes: [...serviceScopeSchema.options] })).token;
  client = createClient({ url: stand.origin, token });
});
afterAll(() => stand.close());

const START = () => ({ graphId, goal: randomUUID(), inputs: { mail_file: "04-downgrade.txt" }, model: "scripted:honest" });

test("starts, follows, cancels and exports a run", async () => {
  const { runId } = await client.startRun(START());
  const waiting = await client.getRun({ runId, wait: 60 });
  expect(waiting).toMatchObject({ id: runId, status: "waiting", waitingFor: [{ approvalId: expect.any(String) as string }] });
  const statuses: string[] = [];
  for await (const event of client.followRun({ runId })) {
    statuses.push(event.status);
    if (event.status === "waiting") await client.cancelRun({ runId, reason: "Superseded." });
  }
  expect(statuses.at(-1)).toBe("cancelled");
  expect(JSON.parse(await client.exportRun({ runId }))).toMatchObject({ ledger: { run: runId } });
  expect(await client.verifyRun({ runId })).toMatchObject({ ok: true });
});

test("lists all items over several pages", async () => {
  await Promise.all([1, 2, 3].map(() => client.startRun(START())));
  const ids: string[] = [];
  for await (const { id } of listAll((cursor) => client.listRuns({ graphId, limit: 2, ...(cursor === undefined ? {} : { cursor }) })))
    ids.push(id);
  const whole = await client.listRuns({ graphId, limit: 100 });
  expect(ids).toEqual(whole.items.map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(3);
});

test("throws a typed error for each problem", async () => {
  const missing = await client.getRun({ runId: randomUUID() }).catch((error: unknown) => error);
  expect(missing).toBeInstanceOf(CountersignError);
  expect(missing).toMatchObject({ status: 404, code: "not_found", requestId: expect.any(String) as string });
  await expect(client.startRun({ ...START(), model: "" })).rejects.toMatchObject({
    status: 422,
    issues: [{ path: "model", message: expect.any(String) as string }],
  });
  const stranger = createClient({ url: stand.origin, token: "cs_none" });
  await expect(stranger.listRuns()).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
});

test("starts one run although a request and an answer are lost", async () => {
  const body = START();
  await withProxy(
    stand.origin,
    (nth) => (["lose request", "lose answer"] as const)[nth] ?? null,
    async (url, keys) => {
      const { runId } = await createClient({ url, token }).startRun(body);
      expect(new Set(keys).size).toBe(1);
      expect(keys).toHaveLength(3);
      const { items } = await client.listRuns({ graphId, limit: 100 });
      expect(items.map(({ id }) => id)).toContain(runId);
      const rows = await query(stand.desk.urls.admin, "select 1 from command where kind = 'start' and run_id = $1", [runId]);
      expect(rows).toHaveLength(1);
    },
  );
});

test("waits as long as the server asks, and gives up after its attempts", async () => {
  await withProxy(
    stand.origin,
    (nth) => (nth === 0 ? { status: 429, headers: { "retry-after": "0" } } : { status: 503, headers: {} }),
    async (url, keys) => {
      const error: unknown = await createClient({ url, token, attempts: 3 })
        .listGraphs()
        .catch((fault: unknown) => fault);
      expect(error).toMatchObject({ status: 503, code: "unexpected" });
      expect(keys).toHaveLength(3);
    },
  );
});

test("repeats no request that was refused, and follows no redirect with its token", async () => {
  const cases = [
    { status: 409, headers: {} },
    { status: 429, headers: {} },
  ] as const;
  for (const answer of cases) {
    await withProxy(
      stand.origin,
      () => answer,
      async (url, keys) => {
        await expect(createClient({ url, token }).listGraphs()).rejects.toMatchObject({ status: answer.status });
        expect(keys).toHaveLength(1);
      },
    );
  }
  await withProxy(
    stand.origin,
    () => ({ status: 302, headers: { location: `${stand.origin}/api/v1/graphs` } }),
    async (url) => {
      await expect(createClient({ url, token, attempts: 1 }).listGraphs()).rejects.toBeInstanceOf(TypeError);
    },
  );
});

test.each(["cut", "end"] as const)("opens a stream again that breaks before its run ends: %s", async (how) => {
  const { runId } = await client.startRun(START());
  await client.getRun({ runId, wait: 60 });
  await withProxy(
    stand.origin,
    (nth) => (nth === 0 ? how : null),
    async (url, keys) => {
      const statuses: string[] = [];
      const follow = async (): Promise<void> => {
        for await (const { status } of createClient({ url, token }).followRun({ runId })) statuses.push(status);
      };
      const following = follow();
      await vi.waitFor(() => expect(keys).toHaveLength(2), { timeout: 20_000 });
      await client.cancelRun({ runId });
      await following;
      expect(statuses).toEqual(["waiting", "cancelled"]);
    },
  );
});

test("ends at its signal, also between two attempts", async () => {
  await withProxy(
    stand.origin,
    () => ({ status: 429, headers: { "retry-after": "60" } }),
    async (url, keys) => {
      const stop = new AbortController();
      const listed = createClient({ url, token }).listGraphs({}, { signal: stop.signal });
      await vi.waitFor(() => expect(keys).toHaveLength(1));
      stop.abort(new Error("enough"));
      await expect(listed).rejects.toThrow("enough");
      expect(keys).toHaveLength(1);
    },
  );
});
