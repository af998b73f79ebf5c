import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { getArtifactDigest, type Artifact } from "@/lib/artifact";
import { serviceScopeSchema } from "@/lib/engine/principal";
import { agentSchema, graphSchema } from "@/lib/graph/document";
import { createClient, type Client } from "@/lib/public/client";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { startFake } from "@/server/models/testing/fake";
import { describeChat } from "@/server/models/testing/openai-fake";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { publishAs, query } from "@/server/runner/testing/desk";
import { readRun } from "@/server/runner/testing/run";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { openedSession } from "@/server/testing/caller";
import { respondArtifact, respondUpload } from "@/server/web/artifacts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const fake = await startFake(() => ({ body: describeChat("A black square.") }));
const open = await openStand({ env: { OPENAI_BASE_URL: fake.url, OPENAI_MODEL: "eyes" } });

const node = (id: string, reads: readonly string[], writes: string) => ({
  id,
  kind: "agent",
  read_keys: reads,
  write_keys: [writes],
  config: { agent_id: id, write_to: writes },
});
const GRAPH = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "looker",
  name: "Looker",
  inputs: { type: "object", properties: { scan: { format: "artifact", "x-media-types": ["image/*"] } }, required: ["scan"] },
  memory: [
    { key: "scan", schema: { format: "artifact" } },
    { key: "seen", schema: { type: "string" } },
    { key: "blind", schema: { type: "string" } },
  ],
  nodes: [node("look", ["scan"], "seen"), node("listen", [], "blind")],
  edges: [{ id: "next", source: "look", target: "listen" }],
  start_node: "look",
  end_nodes: ["listen"],
});

let stand: Stand;
let graphId: string;
let client: Client;
let scan: Artifact;
let runId: string;

const mint = () => stand.mint({ ownerId: stand.desk.people.admin, scopes: [...serviceScopeSchema.options] });
const clientOf = (token: string): Client => createClient({ url: stand.origin, token });
const toFile = (): Blob => new Blob([Buffer.from(PIXEL, "base64")]);
const start = (by: Client, input: Artifact) => by.startRun({ graphId, inputs: { scan: input }, model: "openai-compatible:eyes" });

beforeAll(async () => {
  stand = await open();
  const { desk, demo } = stand;
  const agents = ["look", "listen"].map((id) => agentSchema.parse({ id, name: id, system_prompt: "Describe." }));
  await useDatabase(desk.urls.runner);
  const hash = await publishAs(
    { ...desk, deps: demo.of("support-desk").deps },
    { graph: GRAPH, agents, tools: [], subgraphs: [] },
    desk.people.builder,
  );
  await useDatabase(desk.urls.web);
  [{ graphId } = { graphId: "" }] = await query<{ graphId: string }>(
    desk.urls.admin,
    `select graph_id as "graphId" from graph_version where hash = $1`,
    [hash],
  );
  client = clientOf((await mint()).token);
  scan = await client.createArtifact({ name: "../scans/bill\u202e.png", file: toFile() });
  ({ runId } = await start(client, scan));
  await client.getRun({ runId, wait: 60 });
});
afterAll(async () => {
  await stand.close();
  await fake.close();
});

const signedIn = async (role: Role, workspaceId = stand.desk.workspace) => {
  const id = stand.desk.people[role];
  const session = await openedSession(stand.desk.urls.admin, id);

  return {
    requestId: randomUUID(),
    signedIn: async () => ({
      user: { id, name: role, email: "x@test.invalid" },
      workspace: { id: workspaceId, name: "Test", demo: false },
      role,
      auditor: false,
      session,
    }),
  };
};

const OWN = { "sec-fetch-site": "same-origin" };

const findPlace = async (run = runId) => {
  const cell = (await readRun(stand.demo.of("support-desk"), run)).state.cells.find(({ path }) => path === "scan");

  return { seq: cell?.seq ?? 0, index: cell?.index ?? 0, file: getArtifactDigest(scan) };
};

const openAs = async (asked: Awaited<ReturnType<typeof signedIn>>, body: object, run = runId, headers: Record<string, string> = OWN) =>
  respondArtifact(asked, new Request("http://localhost/", { method: "POST", headers, body: JSON.stringify(body) }), run);

test("an upload is named by its last segment, and typed by its bytes", () => {
  expect(scan).toMatchObject({ name: "bill.png", mediaType: "image/png", size: 70 });
});

test("a run gives the bytes to the model whose node reads the input, and to no other", async () => {
  expect(await client.getRunState({ runId })).toMatchObject({ status: "completed", memory: { scan, seen: "A black square." } });
  const [look, listen] = fake.sent.map(({ body }) => JSON.stringify(body["messages"]));
  expect(look).toContain(`data:image/png;base64,${PIXEL}`);
  expect(listen).not.toContain(PIXEL.slice(0, 20));
});

test("another account can't start a run with a file that it knows but didn't give", async () => {
  const other = clientOf((await mint()).token);
  await expect(start(other, scan)).rejects.toMatchObject({ refusal: "artifact_unknown" });
  await expect(start(client, { ...scan, name: "other.png" })).rejects.toMatchObject({ refusal: "artifact_unknown" });
  await expect(start(client, { ...scan, mediaType: "text/html" })).rejects.toMatchObject({ refusal: "inputs_invalid" });
});

test("an upload with another digest than its header says is refused", async () => {
  const { token } = await mint();
  const response = await fetch(`${stand.origin}/api/v1/artifacts?name=a`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Digest": `sha-256=:${"A".repeat(43)}=:` },
    body: "text",
  });
  expect([response.status, await response.json()]).toMatchObject([422, { title: expect.stringContaining("digest differs") as string }]);
});

describe("opening a file on a page", () => {
  test("returns the bytes as an attachment, once it is recorded", async () => {
    const response = await openAs(await signedIn("viewer"), await findPlace());
    expect([response.status, Buffer.from(await response.arrayBuffer()).toString("base64")]).toEqual([200, PIXEL]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": "attachment; filename*=UTF-8''bill.png",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    });
    const { records } = await readRun(stand.demo.of("support-desk"), runId);
    expect(records.at(-1)?.record.control).toMatchObject([
      { type: "cell_opened", purpose: "file", path: "scan", by: `user:${stand.desk.people.viewer}`, file: getArtifactDigest(scan) },
    ]);
  });

  test("works in a fork, which shares the bytes", async () => {
    const fork = await client.forkRun({ runId, seq: 1 });
    await client.getRun({ runId: fork.runId, wait: 60 });
    expect((await openAs(await signedIn("viewer"), await findPlace(fork.runId), fork.runId)).status).toBe(200);
  });

  test.each([
    [
      "with a digest that the cell doesn't name",
      async () => openAs(await signedIn("viewer"), { ...(await findPlace()), file: "0".repeat(64) }),
      404,
    ],
    ["through another cell", async () => openAs(await signedIn("viewer"), { ...(await findPlace()), index: 0 }), 404],
    ["from another site", async () => openAs(await signedIn("viewer"), await findPlace(), runId, { "sec-fetch-site": "cross-site" }), 403],
    [
      "from another site of an address without TLS",
      async () => openAs(await signedIn("viewer"), await findPlace(), runId, { origin: "http://evil.test", host: "localhost" }),
      403,
    ],
    ["with a body of another form", async () => openAs(await signedIn("viewer"), { path: "scan" }), 400],
    [
      "through another workspace",
      async () => openAs(await signedIn("viewer", await testWorkspace(stand.desk.urls.admin)), await findPlace()),
      404,
    ],
  ])("%s is refused", async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });
});

test("only who may start runs gives files in the browser", async () => {
  const give = async (role: Role, headers: Record<string, string> = OWN) =>
    respondUpload(
      await signedIn(role),
      new Request("http://localhost/api/artifacts?name=a.txt", { method: "POST", headers, body: "text" }),
    );
  expect((await give("builder")).status).toBe(201);
  expect((await give("viewer")).status).toBe(403);
  expect((await give("builder", {})).status).toBe(403);
});
