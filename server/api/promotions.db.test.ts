import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pickEnvironment } from "@/bin/testing";
import { serviceScopeSchema } from "@/lib/engine/principal";
import { DEFAULT_ENVIRONMENTS } from "@/lib/environments/environment";
import type { PromotionCommand } from "@/lib/environments/promotion";
import { graphSchema } from "@/lib/graph/document";
import { createClient } from "@/lib/public/client";
import { useDatabase } from "@/server/db/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { addMember, publishAs, query } from "@/server/runner/testing/desk";
import { deriveAgentSeed } from "@/server/security/session-key";
import { openTestSession } from "@/server/testing/authority";
import { submitToWorkspace } from "@/server/web/submit-command";
import { DRAFT, openCalls, type Calls } from "./testing/calls";
import { PYTHON } from "./testing/python";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let api: Calls;
let second: string;
let token: string;
let accountId: string;

const LISTED = ["dev", "staging", "production"].map((id) => ({ id, title: id.toUpperCase() }));

const by = async (id: string) => ({ type: "user", id, session: await openTestSession(stand.desk.urls.admin, id) }) as const;
const submit = async (id: string, body: Parameters<typeof submitToWorkspace>[1]) =>
  submitToWorkspace({ workspaceId: stand.desk.workspace, author: await by(id) }, body);
const account = (change: Parameters<Stand["mint"]>[0] = {}) =>
  api.account({ ownerId: stand.desk.people.builder, scopes: ["graphs:read", "graphs:write"], ...change });

const publish = async (): Promise<{ graphId: string; hash: string }> => {
  await useDatabase(stand.desk.urls.runner);
  const graph = graphSchema.parse({ ...DRAFT, id: `p-${randomUUID()}` });
  const hash = await publishAs(stand.desk, { graph, agents: [], tools: [], subgraphs: [] }, stand.desk.people.builder);
  await useDatabase(stand.desk.urls.web);
  const [row] = await query<{ graph_id: string }>(stand.desk.urls.admin, "select graph_id from graph_version where hash = $1", [hash]);

  return { graphId: row?.graph_id ?? "", hash };
};

const ask = async (graphId: string, body: object, shown = token, headers: Record<string, string> = {}) => {
  const response = await api.send("POST", `/graphs/${graphId}/promotion-requests`, { token: shown, body, headers });
  const answer = (await response.json()) as { id?: string; refusal?: string | null; code?: string };

  return response.status === 201 ? (answer.id ?? "") : [response.status, answer.refusal ?? answer.code];
};
const statusOf = async (graphId: string, id: unknown) => {
  const { items } = (await api.call("listPromotionRequests", { graphId }, { token })) as { items: { id: string; status: string }[] };

  return items.find((request) => request.id === id)?.status;
};
const liveIn = async (graphId: string) => {
  const { items } = await api.call("listEnvironments", { graphId }, { token });

  return Object.fromEntries(
    (items as { id: string; version: { hash: string } | null }[]).map(({ id, version }) => [id, version?.hash ?? null]),
  );
};

beforeAll(async () => {
  stand = await open();
  api = await openCalls(stand);
  await useDatabase(stand.desk.urls.runner);
  second = await addMember(stand.desk, "builder");
  await useDatabase(stand.desk.urls.web);
  ({ token, id: accountId } = await account());
  await submit(stand.desk.people.admin, { kind: "environments_set", was: [...DEFAULT_ENVIRONMENTS], environments: LISTED });
});
afterAll(() => stand.close());

test("an account asks, another builder than its owner promotes, and the request says so", async () => {
  const { graphId, hash } = await publish();
  expect(await liveIn(graphId)).toEqual({ dev: hash, staging: null, production: null });
  const id = await ask(graphId, { environment: "staging", hash });
  expect(await statusOf(graphId, id)).toBe("open");
  expect(await liveIn(graphId), "only asked").toMatchObject({ staging: null });
  const approve = { kind: "promotion_approve", request: String(id), version: hash } as const;
  await expect(submit(stand.desk.people.builder, approve)).rejects.toMatchObject({ refusal: "own_version" });
  await submit(second, approve);
  expect(await statusOf(graphId, id)).toBe("approved");
  expect(await liveIn(graphId)).toMatchObject({ staging: hash });
  expect(await ask(graphId, { environment: "staging", hash })).toEqual([409, "conflict"]);
  const next = await ask(graphId, { environment: "production", hash });
  await submit(second, { kind: "promotion_decline", request: String(next) });
  expect([await statusOf(graphId, next), (await liveIn(graphId))["production"]]).toEqual(["declined", null]);
});

const PROGRAM = `
import json, sys
from countersign import Client
url, token, graph, version = sys.argv[1:]
client = Client(url, token)
request = client.request_promotion(graph_id=graph, environment="staging", hash=version).id
live = [place.version.hash if place.version else None for place in client.list_environments(graph_id=graph).items]
print(json.dumps([live, [[each.id == request, each.status, each.base] for each in client.list_promotion_requests(graph_id=graph).items]]))
`;

test("both clients ask and read the request", async () => {
  const { graphId, hash } = await publish();
  const client = createClient({ url: stand.origin, token });
  const { id } = await client.requestPromotion({ graphId, environment: "staging", hash });
  expect((await client.listPromotionRequests({ graphId })).items).toMatchObject([{ id, environment: "staging", hash, status: "open" }]);
  expect((await client.listEnvironments({ graphId })).items.map(({ version }) => version?.number ?? null)).toEqual([1, null, null]);
  await expect(client.requestPromotion({ graphId, environment: "production", hash })).rejects.toMatchObject({ refusal: "promotion_order" });
  const other = await publish();
  const env = { NODE_ENV: "test", ...pickEnvironment(["PATH", "HOME"]), ...PYTHON } as const;
  const args = ["-c", PROGRAM, stand.origin, token, other.graphId, other.hash];
  const { stdout } = await promisify(execFile)("python3", args, { env });
  expect(JSON.parse(stdout)).toEqual([[other.hash, null, null], [[true, "open", null]]]);
});

test("a repeat with the same Idempotency-Key is the same request", async () => {
  const { graphId, hash } = await publish();
  const key = { "Idempotency-Key": randomUUID() };
  const [first, again] = [
    await ask(graphId, { environment: "staging", hash }, token, key),
    await ask(graphId, { environment: "staging", hash }, token, key),
  ];
  expect(again).toBe(first);
  expect(await ask(graphId, { environment: "production", hash }, token, key)).toEqual([422, "conflict"]);
  await submit(second, { kind: "promotion_approve", request: String(first), version: hash });
  expect(await ask(graphId, { environment: "staging", hash }, token, key)).toBe(first);
});

test("each wrong request is one refusal, and opens nothing", async () => {
  const [{ graphId, hash }, other] = [await publish(), await publish()];
  const refused = (body: object, shown?: string) => ask(graphId, body, shown);
  expect(await refused({ environment: "production", hash })).toEqual([409, "promotion_order"]);
  expect(await refused({ environment: "qa", hash })).toEqual([409, "environment_unknown"]);
  expect(await refused({ environment: "staging", hash, base: hash })).toEqual([409, "version_moved"]);
  expect(await refused({ environment: "staging", hash: other.hash })).toEqual([404, "not_found"]);
  expect(await refused({ environment: "staging", hash: "x" })).toEqual([422, "bad_request"]);
  const asked = { environment: "staging", hash };
  expect(await refused(asked, (await account({ scopes: ["graphs:read"] })).token)).toEqual([403, "scope_missing"]);
  expect(await refused(asked, (await account({ environments: ["dev"] })).token)).toEqual([409, "environment_not_granted"]);
  expect(await refused(asked, (await account({ graphs: [other.graphId] })).token)).toEqual([404, "not_found"]);
  const admins = await api.account({ scopes: [...serviceScopeSchema.options] });
  expect(await refused(asked, admins.token), "its owner promotes nothing").toEqual([403, "principal_not_allowed"]);
  expect((await api.call("listPromotionRequests", { graphId }, { token }))["items"]).toEqual([]);
});

test("the runner, not only the endpoint, lets an account only ask, within its scopes, graphs and environments", async () => {
  const [{ graphId, hash }, other] = [await publish(), await publish()];
  const place = { environment: "staging", version: hash, base: null };
  const asker = { kind: "promotion_ask", request: randomUUID(), ...place } as const;
  const send = ({ id, token: secret }: { id: string; token: string }, body: PromotionCommand) =>
    submitToWorkspace(
      {
        workspaceId: stand.desk.workspace,
        author: { type: "agent", token: id, session: null, signer: { type: "token", key: deriveAgentSeed(secret) } },
      },
      body,
    ).then(
      () => "accepted",
      (error: { refusal?: string }) => error.refusal,
    );
  const own = { id: accountId, token };
  expect(await send(own, { kind: "promote", ...place })).toBe("principal_not_allowed");
  const request = String(await ask(graphId, { environment: "staging", hash }));
  expect(await send(own, { kind: "promotion_approve", request, version: hash })).toBe("principal_not_allowed");
  expect(await send(own, { kind: "promotion_decline", request })).toBe("principal_not_allowed");
  for (const [change, code] of [
    [{ scopes: ["graphs:read"] }, "principal_not_allowed"],
    [{ graphs: [other.graphId] }, "principal_not_allowed"],
    [{ environments: ["dev"] }, "environment_not_granted"],
  ] as const)
    expect(await send(await account(change as Parameters<typeof account>[0]), asker)).toBe(code);
  expect(await send({ id: accountId, token: (await account()).token }, asker)).toBe("command_forged");
  const gone = await account();
  await stand.revoke(gone.id);
  expect(await send(gone, asker)).toBe("principal_not_allowed");
  expect([await statusOf(graphId, request), (await liveIn(graphId))["staging"]]).toEqual(["open", null]);
});

test("a request is superseded when another version becomes live there", async () => {
  const { graphId, hash } = await publish();
  const id = await ask(graphId, { environment: "staging", hash });
  await submit(stand.desk.people.builder, { kind: "promote", environment: "staging", version: hash, base: null });
  expect(await statusOf(graphId, id)).toBe("superseded");
  await expect(submit(second, { kind: "promotion_approve", request: String(id), version: hash })).rejects.toMatchObject({
    refusal: "version_moved",
  });
});
