import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe as group, expect, test, vi } from "vitest";
import { Validator } from "@cfworker/json-schema";
import { CONTRACT, describe } from "@/lib/api/contract";
import { API_PATH, ROUTES, type Operation } from "@/lib/api/routes";
import { serviceScopeSchema } from "@/lib/engine/principal";
import { buildOpenApi } from "@/server/api/openapi";
import { mintToken, rotateToken } from "@/server/outside/token";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { refusalsOf } from "@/server/outside/testing/records";
import { query } from "@/server/runner/testing/desk";
import { decisionFor, readRun } from "@/server/runner/testing/run";
import { openTestSession } from "@/server/testing/authority";
import { submitCommand } from "@/server/web/submit-command";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let graphId: string;
let token: string;
const OPERATIONS = Object.keys(ROUTES) as Operation[];

const account = (change: Parameters<Stand["mint"]>[0] = {}) =>
  stand.mint({ ownerId: stand.desk.people.admin, scopes: [...serviceScopeSchema.options], ...change });

type Sent = { readonly token?: string | null; readonly body?: unknown; readonly text?: string; readonly headers?: Record<string, string> };

const send = (method: string, path: string, { token: shown = token, body, text, headers }: Sent = {}): Promise<Response> =>
  fetch(`${stand.origin}${API_PATH}${path}`, {
    method,
    headers: {
      ...(shown === null ? {} : { Authorization: `Bearer ${shown}` }),
      ...(body === undefined && text === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined && text === undefined ? {} : { body: text ?? JSON.stringify(body) }),
  });

type Document = {
  components: object;
  paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, { schema: Record<string, unknown> }> }> }>>;
};
const DOCUMENT = buildOpenApi() as unknown as Document;

const call = async (operation: Operation, params: Record<string, string> = {}, sent: Sent = {}, search = "") => {
  const [method = "", path = ""] = ROUTES[operation].split(" ");
  const response = await send(method, `${path.replace(/\{(\w+)\}/gu, (_, name: string) => params[name] ?? "")}${search}`, sent);
  const text = await response.text();
  expect([operation, response.status, response.status < 300 ? "" : text]).toEqual([operation, describe(operation).status ?? 200, ""]);
  const schema = DOCUMENT.paths[path]?.[method.toLowerCase()]?.responses[String(response.status)]?.content["application/json"]?.schema;
  const value = JSON.parse(text) as Record<string, unknown>;
  const checked = new Validator({ ...schema, components: DOCUMENT.components }, "2020-12").validate(value);
  expect([operation, checked.errors]).toEqual([operation, []]);

  return value;
};

const START = (change: Record<string, unknown> = {}) => ({
  graphId,
  goal: "Answer the mail.",
  inputs: { mail_file: "01-upgrade.txt" },
  model: "scripted:honest",
  ...change,
});

const document = {
  format: "countersign/graph/v1",
  id: "imported",
  name: "Imported",
  start_node: "write",
  end_nodes: ["write"],
  memory: [{ key: "out", schema: {} }],
  edges: [],
  nodes: [{ id: "write", kind: "transform", write_keys: ["out"], config: { set: [{ path: "out", value: "1" }] } }],
};

beforeAll(async () => {
  stand = await open();
  graphId = await stand.graphId("support-desk");
  token = (await account()).token;
});
afterAll(() => stand.close());

test("start, wait for the approval, approve by a person, read the result", async () => {
  const { runId } = await call("startRun", {}, { body: START() });
  const run = String(runId);
  const waiting = await call("getRun", { runId: run }, {}, "?wait=60");
  expect(waiting["status"]).toBe("waiting");
  const [gate] = waiting["waitingFor"] as { approvalId: string }[];
  const approvalId = gate?.approvalId ?? "";
  await call("listApprovals");
  const seen = await call("getApproval", { approvalId });
  expect(seen["status"]).toBe("open");
  await call("commentOnApproval", { approvalId }, { body: { text: "From CI." } });
  const after = await call("getApproval", { approvalId });
  expect(after["comments"]).toMatchObject([{ text: "From CI." }]);
  const desk = stand.demo.of("support-desk");
  const person = { type: "user", id: desk.people.reviewer, session: await openTestSession(desk.urls.admin, desk.people.reviewer) } as const;
  const { state } = await readRun(desk, run);
  await submitCommand({ workspaceId: desk.workspace, author: person, runId: run, body: decisionFor(desk, state, "approve") });
  const done = await call("getRun", { runId: run }, {}, "?wait=60");
  expect(done["status"]).toBe("completed");
  expect(await call("getRunState", { runId: run })).toMatchObject({ run_id: run, status: "completed" });
  expect(await call("verifyRun", { runId: run })).toMatchObject({ ok: true });
  await call("exportRun", { runId: run });
  const events = await send("GET", `/runs/${run}/events`);
  expect([events.headers.get("content-type"), await events.text()]).toEqual([
    "text/event-stream; charset=utf-8",
    expect.stringContaining('"status":"completed"'),
  ]);
  expect((await call("listRuns", {}, {}, `?graphId=${graphId}&limit=1`))["items"]).toHaveLength(1);
  await call("forkRun", { runId: run }, { body: { seq: 1 } });
});

test("an account rejects what its view names, and can never approve", async () => {
  const { runId } = await call("startRun", {}, { body: START({ inputs: { mail_file: "04-downgrade.txt" } }) });
  const run = String(runId);
  const waiting = await call("getRun", { runId: run }, {}, "?wait=60");
  expect(waiting).toMatchObject({ status: "waiting", waitingFor: [{}] });
  const approvalId = (waiting["waitingFor"] as { approvalId: string }[])[0]?.approvalId ?? "";
  const { viewDigest, transitionDigest, nonce } = await call("getApproval", { approvalId });
  const asked = { viewDigest, transitionDigest, nonce, reason: "The release was withdrawn." };
  const wrong = await send("POST", `/approvals/${approvalId}/rejection`, { body: { ...asked, viewDigest: transitionDigest } });
  expect([wrong.status, ((await wrong.json()) as { refusal: string }).refusal]).toEqual([409, "view_mismatch"]);
  // The page's own command, with an account's signature.
  const { id, token: other } = await account();
  const { deriveAgentSeed } = await import("@/server/security/session-key");
  const author = { type: "agent", token: id, session: null, signer: { type: "token", key: deriveAgentSeed(other) } } as const;
  const desk = stand.demo.of("support-desk");
  const { state } = await readRun(desk, run);
  const yes = submitCommand({ workspaceId: desk.workspace, author, runId: run, body: decisionFor(desk, state, "approve") });
  await expect(yes).rejects.toMatchObject({ refusal: "principal_not_allowed" });
  // Neither refusal changed the view.
  await call("rejectApproval", { approvalId }, { body: asked });
  const decided = await call("getApproval", { approvalId });
  const [by] = decided["decisions"] as { user: string }[];
  expect((decided["names"] as Record<string, string>)[by?.user ?? ""]).toBe("Service account test");
  const { records } = await readRun(desk, run);
  const made = records.flatMap(({ record }) => (record.proposal_kind === "decision" && record.refusal === null ? [record.principal] : []));
  expect(made).toMatchObject([{ type: "agent", integrity: "untrusted" }]);
});

group("every operation", () => {
  const EMPTY: Record<string, string> = { graphId: randomUUID(), runId: randomUUID(), approvalId: randomUUID() };
  const at = (operation: Operation, ids = EMPTY): [string, string] => {
    const [method = "", path = ""] = ROUTES[operation].split(" ");

    return [method, path.replace(/\{(\w+)\}/gu, (_, name: string) => ids[name] ?? "")];
  };
  const bodyOf = (operation: Operation) => ("body" in CONTRACT[operation] ? { body: {} } : {});

  test.each(OPERATIONS)("%s refuses no token, an agent's token and a token without its scope", async (operation) => {
    const others = serviceScopeSchema.options.filter((scope) => scope !== describe(operation).scope);
    const refused = [
      await send(...at(operation), { token: null, ...bodyOf(operation) }),
      await send(...at(operation), { token: (await stand.mint()).token, ...bodyOf(operation) }),
      await send(...at(operation), { token: (await account({ scopes: others })).token, ...bodyOf(operation) }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 403]);
    expect(refused[2]?.headers.get("content-type")).toBe("application/problem+json");
    expect(await refused[2]?.json()).toMatchObject({ status: 403, code: "refused", refusal: "scope_missing" });
  });

  test("of another graph finds nothing, and leaves records", async () => {
    const { runId } = await call("startRun", {}, { body: START() });
    const { waitingFor } = await call("getRun", { runId: String(runId) }, {}, "?wait=60");
    const approvalId = (waitingFor as { approvalId: string }[])[0]?.approvalId ?? "";
    const bound = await account({ graphs: [await stand.graphId("refund-desk")] });
    const ids = { graphId, runId: String(runId), approvalId };
    const digest = "0".repeat(64);
    const bodies: Partial<Record<Operation, unknown>> = {
      requestPublication: { revision: 1, hash: digest },
      compareGraph: { before: { type: "draft" }, after: { type: "draft" } },
      saveDraft: { revision: 1, document },
      startRun: START(),
      forkRun: { seq: 1 },
      cancelRun: {},
      commentOnApproval: { text: "x" },
      rejectApproval: { transitionDigest: digest, viewDigest: digest, nonce: randomUUID(), reason: "x" },
    };
    // Accounts have no scope to decide: person.db.test.ts.
    const within = OPERATIONS.filter(
      (operation) => operation !== "decideApproval" && (ROUTES[operation].includes("{") || operation === "startRun"),
    );
    for (const operation of within) {
      const body = bodies[operation];
      const response = await send(...at(operation, ids), { token: bound.token, ...(body === undefined ? {} : { body }) });
      expect([operation, response.status]).toEqual([operation, 404]);
    }
    for (const list of ["listRuns", "listApprovals"] as const) {
      expect((await call(list, {}, { token: bound.token }))["items"]).toEqual([]);
    }
    const graphs = (await call("listGraphs", {}, { token: bound.token }))["items"] as { id: string }[];
    expect(graphs.some(({ id }) => id === graphId)).toBe(false);
    expect((await refusalsOf(stand.desk, bound.id)).length).toBeGreaterThan(0);
  });

  test("that reads the workspace answers by its schema", async () => {
    for (const operation of ["listGraphs", "listServers", "listPeople", "getUsage"] as const) await call(operation);
    expect((await call("validateGraph", {}, { body: { document: {} } }))["problems"]).not.toEqual([]);
  });
});

test("the runner, not only the endpoint, refuses an unbound account", async () => {
  const { id, token: secret } = await account({ graphs: [await stand.graphId("refund-desk")] });
  const { deriveAgentSeed } = await import("@/server/security/session-key");
  const author = { type: "agent", token: id, session: null, signer: { type: "token", key: deriveAgentSeed(secret) } } as const;
  const { graphHash } = stand.demo.of("support-desk");
  const body = { kind: "start" as const, graph_hash: graphHash, goal: "x", constraints: [], inputs: {}, model: "default" };
  const started = submitCommand({ workspaceId: stand.desk.workspace, author, runId: randomUUID(), body });
  await expect(started).rejects.toMatchObject({ refusal: "not_found" });
});

group("a graph", () => {
  const readDraft = (id: string) => call("getGraph", { graphId: id });

  test("is imported as a draft, read, and proposed for publication", async () => {
    const imported = await call("importGraph", {}, { body: { document } });
    const draft = await readDraft(String(imported["id"]));
    expect(draft).toMatchObject({ revision: 1, version: null, document: { id: imported["documentId"], name: "Imported" } });
    const builder = await account({ ownerId: stand.desk.people.builder, scopes: ["graphs:write"] });
    const body = { revision: draft["revision"], hash: draft["hash"] };
    const asked = await call("requestPublication", { graphId: String(imported["id"]) }, { body, token: builder.token });
    expect(asked["status"]).toBe("requested");
    const [row] = await query<{ status: string; hash: string }>(
      stand.desk.urls.admin,
      "select status, hash from publish_request where id = $1",
      [asked["id"]],
    );
    expect(row).toMatchObject({ status: "open", hash: draft["hash"] });
    expect((await readDraft(String(imported["id"])))["version"]).toBeNull();
  });

  test("is saved over exactly its revision, once, and compared", async () => {
    const id = String((await call("importGraph", {}, { body: { document } }))["id"]);
    const graph = { graphId: id };
    const draft = { ...((await readDraft(graph.graphId))["document"] as object), name: "Saved" };
    const { token: builder } = await account({ ownerId: stand.desk.people.builder, scopes: ["graphs:write"] });
    const sent = { token: builder, body: { revision: 1, document: draft } };
    const admins = await send("POST", `/graphs/${id}/revisions`, { body: sent.body });
    expect([admins.status, await admins.json()]).toEqual([403, expect.objectContaining({ refusal: "role_missing" })]);
    expect(await call("saveDraft", graph, sent)).toEqual({ revision: 2 });
    expect(await call("saveDraft", graph, sent)).toEqual({ revision: 2 });
    const save = (body: object) => send("POST", `/graphs/${id}/revisions`, { token: builder, body });
    const late = await save({ revision: 1, document: { ...draft, name: "Late" } });
    expect([late.status, await late.json()]).toEqual([409, expect.objectContaining({ code: "conflict" })]);
    expect((await save({ revision: 2, document: { ...draft, id: "other" } })).status).toBe(409);
    expect((await save({ revision: 2, document: { ...draft, nodes: [] } })).status).toBe(409);
    expect((await readDraft(graph.graphId))["document"]).toEqual(expect.objectContaining({ name: "Saved" }));
    const contents = { before: { type: "draft" }, after: { type: "document", document: { ...draft, max_iterations: 400 } } };
    expect(await call("compareGraph", graph, { body: contents })).toMatchObject({
      secondPerson: "wider",
      parts: [{ part: "setting", id: "max_iterations", mark: "changed" }],
    });
    expect(await call("listPublicationRequests", graph)).toEqual({ items: [] });
    expect((await send("GET", `/graphs/${id}/version`)).status).toBe(404);
    const version = await call("getVersion", { graphId }, {}, "?number=1");
    expect(version).toMatchObject({ number: 1, document: { id: "support-desk" } });
    expect((await send("GET", `/graphs/${graphId}/version?number=9`)).status).toBe(404);
  });

  test("keeps its id, or is refused", async () => {
    const kept = { ...document, id: `kept-${randomUUID()}` };
    const imported = await call("importGraph", {}, { body: { document: kept, keepsId: true } });
    expect(imported["documentId"]).toBe(kept.id);
    const named = await call("listGraphs", {}, {}, `?documentId=${kept.id}`);
    expect(named["items"]).toMatchObject([{ id: imported["id"] }]);
    const again = await send("POST", "/graphs", { body: { document: kept, keepsId: true } });
    expect([again.status, await again.json()]).toEqual([409, expect.objectContaining({ code: "conflict" })]);
  });

  test("is imported once by concurrent requests with one Idempotency-Key", async () => {
    const key = randomUUID();
    const sent = { body: { document }, headers: { "Idempotency-Key": key } };
    const answers = await Promise.all(Array.from({ length: 6 }, () => call("importGraph", {}, sent)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await readDraft(String(answers[0]?.["id"])))["document"]).toMatchObject({ id: answers[0]?.["documentId"] });
  });
});

test("a run is cancelled by the account, which the ledger names", async () => {
  const run = String((await call("startRun", {}, { body: START({ inputs: { mail_file: "04-downgrade.txt" } }) }))["runId"]);
  expect((await call("getRun", { runId: run }, {}, "?wait=60"))["status"]).toBe("waiting");
  await call("cancelRun", { runId: run }, { body: { reason: "Superseded." } });
  expect((await call("getRun", { runId: run }, {}, "?wait=60"))["status"]).toBe("cancelled");
  const { records } = await readRun(stand.demo.of("support-desk"), run);
  expect(records.find(({ record }) => record.proposal_kind === "cancel")?.record.principal).toMatchObject({ type: "agent" });
});

group("a request", () => {
  const fork = (key: string, body: unknown) => send("POST", "/runs", { body, headers: { "Idempotency-Key": key } });

  test("with the same Idempotency-Key starts one run; another body is refused", async () => {
    const key = randomUUID();
    const answers = await Promise.all([fork(key, START()), fork(key, START())]);
    const again = await fork(key, START());
    const ids = await Promise.all([...answers, again].map(async (answer) => ((await answer.json()) as { runId: string }).runId));
    expect(new Set(ids).size).toBe(1);
    expect((await fork(key, START({ goal: "Another." }))).status).toBe(422);
  });

  test("repeated after a crash between insert and answer finds the same command", async () => {
    const key = randomUUID();
    await stand.stopRunner();
    const lost = new AbortController();
    const first = fetch(`${stand.origin}${API_PATH}/runs`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify(START()),
      signal: lost.signal,
    }).catch(() => null);
    await vi.waitFor(async () => {
      const rows = await query(stand.desk.urls.admin, "select 1 from command where status = 'pending' and kind = 'start'", []);
      expect(rows).toHaveLength(1);
    });
    lost.abort();
    await first;
    await stand.replaceRunner();
    const { runId } = (await (await fork(key, START())).json()) as { runId: string };
    expect((await call("getRun", { runId }))["id"]).toBe(runId);
    const rows = await query(stand.desk.urls.admin, "select 1 from run where id = $1", [runId]);
    expect(rows).toHaveLength(1);
  });

  test.each([
    ["a member twice", { text: `{"graphId":"a","graphId":"b"}` }, 400],
    ["no JSON", { text: "{" }, 400],
    ["another media type", { text: "{}", headers: { "Content-Type": "text/plain" } }, 415],
    ["more than 1 MiB", { text: `"${"x".repeat(1_100_000)}"` }, 413],
    ["unknown members", { body: { graphHash: 1, secret: "s3cret" } }, 422],
  ])("with %s is refused without its values", async (_what, sent, status) => {
    const response = await send("POST", "/runs", sent);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain("s3cret");
  });

  test("answers unknown paths, methods, HEAD and OPTIONS without CORS", async () => {
    const statuses = async (method: string, path: string) => (await send(method, path)).status;
    expect(await statuses("GET", "/nothing")).toBe(404);
    const wrong = await send("DELETE", "/runs");
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
    const options = await send("OPTIONS", "/runs", { headers: { Origin: "https://evil.test" } });
    expect([options.status, options.headers.get("access-control-allow-origin")]).toEqual([204, null]);
    const head = await send("HEAD", "/graphs");
    expect([head.status, await head.text(), head.headers.get("ratelimit")]).toEqual([
      200,
      "",
      expect.stringMatching(/^"token";r=\d+;t=\d+$/u),
    ]);
    const openApi = await send("GET", "/openapi.json", { token: null });
    expect(await openApi.json()).toEqual(buildOpenApi());
  });

  test("with a cookie and no token is refused", async () => {
    const response = await send("GET", "/runs", { token: null, headers: { Cookie: "next-auth.session-token=x" } });
    expect(response.status).toBe(401);
  });
});

test("a rotated account answers to its new token only, and a revoked one to none", async () => {
  const desk = stand.demo.of("support-desk");
  const owner = { type: "user", id: desk.people.admin, session: await openTestSession(desk.urls.admin, desk.people.admin) } as const;
  const minting = {
    name: "ci",
    scopes: ["runs:read"],
    graphs: null,
    integrity: "untrusted",
    strictErrors: false,
    singleBlock: false,
  } as const;
  const made = await mintToken(desk.workspace, owner, { ...minting, lifetimeMs: 60_000 });
  const other = { type: "user", id: desk.people.builder, session: await openTestSession(desk.urls.admin, desk.people.builder) } as const;
  await expect(rotateToken(desk.workspace, other, { id: made.id, lifetimeMs: 60_000 })).rejects.toMatchObject({ refusal: "not_found" });
  // An admin revokes the accounts of others, but never holds their secrets.
  const { id: others } = await account({ ownerId: desk.people.builder, scopes: ["runs:read"] });
  await expect(rotateToken(desk.workspace, owner, { id: others, lifetimeMs: 60_000 })).rejects.toMatchObject({
    refusal: "principal_not_allowed",
  });
  const next = await rotateToken(desk.workspace, owner, { id: made.id, lifetimeMs: 60_000 });
  const statusOf = async (shown: string) => (await send("GET", "/runs", { token: shown })).status;
  expect([await statusOf(made.token), await statusOf(next.token)]).toEqual([401, 200]);
  await stand.revoke(made.id);
  expect(await statusOf(next.token)).toBe(401);
});

test("a builder grants only the scopes of their role", async () => {
  const refused = stand.mint({ ownerId: stand.desk.people.builder, scopes: ["people:read"] });
  await expect(refused).rejects.toMatchObject({ refusal: "role_missing" });
  const mixed = stand.mint({ ownerId: stand.desk.people.admin, scopes: ["runs:read", "run.drive"] });
  await expect(mixed).rejects.toMatchObject({ refusal: "role_missing" });
});
