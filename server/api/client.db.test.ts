import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PERSONAL_SCOPES, serviceScopeSchema } from "@/lib/engine/principal";
import { CountersignError, createClient, listAll, type Client } from "@/lib/public/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";

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

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);

  return Buffer.concat(parts);
};

type Spoil = (
  nth: number,
) => "lose request" | "lose answer" | "cut" | { readonly status: number; readonly headers: Record<string, string> } | null;

const withProxy = async (spoil: Spoil, use: (url: string, keys: (string | undefined)[]) => Promise<void>): Promise<void> => {
  const keys: (string | undefined)[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const how = spoil(keys.length);
    keys.push(request.headers["idempotency-key"]?.toString());
    const body = await readBody(request);
    if (how === "lose request") {
      request.socket.destroy();

      return;
    }
    if (typeof how === "object" && how !== null) {
      response.writeHead(how.status, how.headers).end();

      return;
    }
    const { authorization = "", "content-type": type = "application/json", "idempotency-key": key } = request.headers;
    const answered = await fetch(`${stand.origin}${request.url}`, {
      method: request.method ?? "GET",
      headers: { authorization, "content-type": type, ...(key === undefined ? {} : { "idempotency-key": String(key) }) },
      ...(body.length === 0 ? {} : { body: body.toString() }),
    });
    if (how === "lose answer") {
      await answered.arrayBuffer();
      request.socket.destroy();

      return;
    }
    response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "" });
    for await (const chunk of answered.body as unknown as AsyncIterable<Uint8Array>) {
      response.write(chunk);
      if (how === "cut") request.socket.destroy();
    }
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  try {
    await use(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`, keys);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

test("the programs of docs/tutorials/api.md start a run and approve it", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "countersign-client-"));
  const installed = path.join(folder, "node_modules", "countersign");
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, "package.json"), JSON.stringify({ type: "module", exports: { "./client": "./client.js" } }));
  await build({ entryPoints: ["lib/public/client.ts"], bundle: true, format: "esm", outfile: path.join(installed, "client.js") });
  const page = await readFile("docs/tutorials/api.md", "utf8");
  const programs = [...page.matchAll(/```ts\n(.*?)```/gsu)].map(([, program = ""]) => program);
  expect(programs).toHaveLength(2);
  await writeFile(path.join(folder, "program.mts"), programs.join("\n"));
  const { token: own } = await stand.mint({ ownerId: stand.desk.people.reviewer, scopes: [...PERSONAL_SCOPES] });
  const env = { NODE_ENV: "test", COUNTERSIGN_URL: stand.origin, COUNTERSIGN_TOKEN: token, PERSONAL_TOKEN: own } as const;
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, "program.mts")], { env });
  expect(stdout.trim().split("\n")).toEqual(["waiting", "completed"]);
});

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
      () => answer,
      async (url, keys) => {
        await expect(createClient({ url, token }).listGraphs()).rejects.toMatchObject({ status: answer.status });
        expect(keys).toHaveLength(1);
      },
    );
  }
  await withProxy(
    () => ({ status: 302, headers: { location: `${stand.origin}/api/v1/graphs` } }),
    async (url) => {
      await expect(createClient({ url, token, attempts: 1 }).listGraphs()).rejects.toBeInstanceOf(TypeError);
    },
  );
});

test("opens a broken stream again", async () => {
  const { runId } = await client.startRun(START());
  await client.getRun({ runId, wait: 60 });
  await withProxy(
    (nth) => (nth === 0 ? "cut" : null),
    async (url, keys) => {
      const statuses: string[] = [];
      for await (const { status } of createClient({ url, token }).followRun({ runId })) {
        statuses.push(status);
        if (keys.length === 2 && status === "waiting") await client.cancelRun({ runId });
      }
      expect(keys).toHaveLength(2);
      expect(statuses.at(-1)).toBe("cancelled");
    },
  );
});

test("ends at its signal, also between two attempts", async () => {
  await withProxy(
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
