import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe as group, expect, test, vi } from "vitest";
import { CONTRACT, describe } from "@/lib/api/contract";
import { ROUTES, type Operation } from "@/lib/api/routes";
import { serviceScopeSchema } from "@/lib/engine/principal";
import { mintToken, rotateToken } from "@/server/outside/token";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { refusalsOf } from "@/server/outside/testing/records";
import { openTestSession } from "@/server/testing/authority";
import { submitCommand } from "@/server/web/submit-command";
import { buildOpenApi } from "./openapi";
import { DRAFT, openCalls, type Calls } from "./testing/calls";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let api: Calls;
const OPERATIONS = Object.keys(ROUTES) as Operation[];

beforeAll(async () => {
  stand = await open();
  api = await openCalls(stand);
});
afterAll(() => stand.close());

group("every operation", () => {
  const EMPTY: Record<string, string> = { graphId: randomUUID(), runId: randomUUID(), approvalId: randomUUID() };
  const at = (operation: Operation, ids = EMPTY): [string, string] => {
    const [method = "", path = ""] = ROUTES[operation].split(" ");

    return [method, path.replace(/\{(\w+)\}/gu, (_, name: string) => ids[name] ?? "")];
  };
  const bodyOf = (operation: Operation) => ("body" in CONTRACT[operation] ? { body: {} } : {});

  test.each(OPERATIONS)("%s refuses no token, an agent's token and a token without its scope", async (operation) => {
    const others = serviceScopeSchema.options.filter((scope) => scope !== describe(operation).scope);
    // One address may fail 60 times a minute.
    const headers = { "x-forwarded-for": `198.51.100.${OPERATIONS.indexOf(operation)}` };
    const refused = [
      await api.send(...at(operation), { token: null, headers, ...bodyOf(operation) }),
      await api.send(...at(operation), { token: (await stand.mint()).token, headers, ...bodyOf(operation) }),
      await api.send(...at(operation), { token: (await api.account({ scopes: others })).token, headers, ...bodyOf(operation) }),
    ];
    const { scope } = describe(operation);
    const last = scope === null ? { status: 401, code: "unauthenticated" } : { status: 403, code: "refused", refusal: "scope_missing" };
    expect(refused.map(({ status }) => status)).toEqual([401, 401, last.status]);
    expect(refused[2]?.headers.get("content-type")).toBe("application/problem+json");
    expect(await refused[2]?.json()).toMatchObject(last);
  });

  test("of another graph finds nothing, and leaves records", async () => {
    const { runId } = await api.call("startRun", {}, { body: api.start() });
    const { waitingFor } = await api.call("getRun", { runId: String(runId) }, {}, "?wait=60");
    const approvalId = (waitingFor as { approvalId: string }[])[0]?.approvalId ?? "";
    const bound = await api.account({ graphs: [await stand.graphId("refund-desk")] });
    const ids = { graphId: api.graphId, runId: String(runId), approvalId };
    const digest = "0".repeat(64);
    const bodies: Partial<Record<Operation, unknown>> = {
      requestPublication: { revision: 1, hash: digest },
      requestPromotion: { environment: "production", hash: digest },
      compareGraph: { before: { type: "draft" }, after: { type: "draft" } },
      saveDraft: { revision: 1, document: DRAFT },
      startRun: api.start(),
      forkRun: { seq: 1 },
      cancelRun: {},
      commentOnApproval: { text: "x" },
      takeWaitToken: {},
      answerWait: { token: "x", value: null },
      rejectApproval: { transitionDigest: digest, viewDigest: digest, nonce: randomUUID(), reason: "x" },
    };
    // Accounts have no scope to decide: person.db.test.ts.
    const within = OPERATIONS.filter(
      (operation) => operation !== "decideApproval" && (ROUTES[operation].includes("{") || operation === "startRun"),
    );
    for (const operation of within) {
      const body = bodies[operation];
      const response = await api.send(...at(operation, ids), { token: bound.token, ...(body === undefined ? {} : { body }) });
      expect([operation, response.status]).toEqual([operation, 404]);
    }
    for (const list of ["listRuns", "listApprovals"] as const) {
      expect((await api.call(list, {}, { token: bound.token }))["items"]).toEqual([]);
    }
    const graphs = (await api.call("listGraphs", {}, { token: bound.token }))["items"] as { id: string }[];
    expect(graphs.some(({ id }) => id === api.graphId)).toBe(false);
    expect((await refusalsOf(stand.desk, bound.id)).length).toBeGreaterThan(0);
  });

  test("that reads the workspace answers by its schema", async () => {
    for (const operation of ["listGraphs", "listServers", "listPeople", "getUsage"] as const) await api.call(operation);
    expect((await api.call("validateGraph", {}, { body: { document: {} } }))["problems"]).not.toEqual([]);
  });
});

test("the runner, not only the endpoint, refuses an unbound account", async () => {
  const { id, token: secret } = await api.account({ graphs: [await stand.graphId("refund-desk")] });
  const { deriveAgentSeed } = await import("@/server/security/session-key");
  const author = { type: "agent", token: id, session: null, signer: { type: "token", key: deriveAgentSeed(secret) } } as const;
  const { graphHash } = stand.demo.of("support-desk");
  const body = { kind: "start" as const, graph_hash: graphHash, goal: "x", constraints: [], inputs: {}, model: "default" };
  const started = submitCommand({ workspaceId: stand.desk.workspace, author, runId: randomUUID(), body });
  await expect(started).rejects.toMatchObject({ refusal: "not_found" });
});

group("a request", () => {
  test.each([
    ["a member twice", { text: `{"graphId":"a","graphId":"b"}` }, 400],
    ["no JSON", { text: "{" }, 400],
    ["another media type", { text: "{}", headers: { "Content-Type": "text/plain" } }, 415],
    ["more than 1 MiB", { text: `"${"x".repeat(1_100_000)}"` }, 413],
    ["unknown members", { body: { graphHash: 1, secret: "s3cret" } }, 422],
  ])("with %s is refused without its values", async (_what, sent, status) => {
    const response = await api.send("POST", "/runs", sent);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain("s3cret");
  });

  test("answers unknown paths, methods, HEAD and OPTIONS without CORS", async () => {
    const statuses = async (method: string, path: string) => (await api.send(method, path)).status;
    expect(await statuses("GET", "/nothing")).toBe(404);
    const wrong = await api.send("DELETE", "/runs");
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
    const options = await api.send("OPTIONS", "/runs", { headers: { Origin: "https://evil.test" } });
    expect([options.status, options.headers.get("access-control-allow-origin")]).toEqual([204, null]);
    const head = await api.send("HEAD", "/graphs");
    expect([head.status, await head.text(), head.headers.get("ratelimit")]).toEqual([
      200,
      "",
      expect.stringMatching(/^"token";r=\d+;t=\d+$/u),
    ]);
    const openApi = await api.send("GET", "/openapi.json", { token: null });
    expect(await openApi.json()).toEqual(buildOpenApi());
  });

  test("with a cookie and no token is refused", async () => {
    const response = await api.send("GET", "/runs", { token: null, headers: { Cookie: "next-auth.session-token=x" } });
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
  const { id: others } = await api.account({ ownerId: desk.people.builder, scopes: ["runs:read"] });
  await expect(rotateToken(desk.workspace, owner, { id: others, lifetimeMs: 60_000 })).rejects.toMatchObject({
    refusal: "principal_not_allowed",
  });
  const next = await rotateToken(desk.workspace, owner, { id: made.id, lifetimeMs: 60_000 });
  const headers = { "x-forwarded-for": "203.0.113.7" };
  const statusOf = async (shown: string) => (await api.send("GET", "/runs", { token: shown, headers })).status;
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
