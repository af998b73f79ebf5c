import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { API_PATH } from "@/lib/api/routes";
import { serviceScopeSchema } from "@/lib/engine/principal";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;

beforeAll(async () => {
  stand = await open();
});
afterAll(() => stand.close());

const account = async (graphs: readonly string[] | null = null) =>
  (await stand.mint({ ownerId: stand.desk.people.admin, scopes: [...serviceScopeSchema.options], graphs })).token;

const send = (token: string | null, path: string, body?: unknown): Promise<Response> =>
  fetch(`${stand.origin}${API_PATH}${path}`, {
    headers: { ...(token === null ? {} : { Authorization: `Bearer ${token}` }), "Content-Type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });

const MAIL = { mail_file: "04-downgrade.txt" };

const startAt = async (token: string, graphId: string, inputs: object = MAIL): Promise<string> => {
  const { runId } = (await (await send(token, "/runs", { graphId, goal: "Answer.", inputs, model: "scripted:honest" })).json()) as {
    runId: string;
  };
  await send(token, `/runs/${runId}?wait=60`);

  return runId;
};

type Page = { readonly items: { readonly id: string; readonly runId?: string }[]; readonly nextCursor: string | null };
const list = async (token: string, path: string): Promise<Page> => (await (await send(token, path)).json()) as Page;

test("a page of an account with several graphs is full, and its cursor leads on", async () => {
  const [support, other, foreign] = await Promise.all(["support-desk", "refund-desk", "order-desk"].map(stand.graphId));
  const all = await account();
  const first = await startAt(all, support ?? "");
  const second = await startAt(all, support ?? "");
  const newest = await startAt(all, foreign ?? "", { order_id: "ord_2001" });
  expect((await list(all, "/runs?limit=1")).items).toMatchObject([{ id: newest }]);
  const bound = await account([other ?? "", other ?? ""]);
  const mine = await account([support ?? "", other ?? ""]);
  expect(await list(bound, "/runs?limit=1")).toEqual({ items: [], nextCursor: null });
  expect((await list(bound, "/approvals")).items).toEqual([]);
  const one = await list(mine, "/runs?limit=1");
  const two = await list(mine, `/runs?limit=1&cursor=${one.nextCursor}`);
  expect([one, two].map(({ items }) => items.map(({ id }) => id))).toEqual([[second], [first]]);
  expect(two.nextCursor).toBeNull();
  expect(new Set((await list(mine, "/approvals")).items.map(({ runId }) => runId))).toEqual(new Set([first, second]));
});

test("an account waits eight times at most, and again once a wait is over", async () => {
  const token = await account();
  const run = await startAt(token, await stand.graphId("support-desk"));
  const setStatus = (status: string) =>
    query(stand.desk.urls.admin, "update run set status = $1 where id = $2 returning id", [status, run]);
  await setStatus("running");
  const waits = Array.from({ length: 9 }, () => send(token, `/runs/${run}?wait=60`));
  const refused = await Promise.race(waits);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  await setStatus("waiting");
  const statuses = (await Promise.all(waits)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 8 }, () => 200), 429]);
  expect((await send(token, `/runs/${run}?wait=60`)).status).toBe(200);
});

test("every answer names its limit and what is left of it", async () => {
  const token = await account();
  const answers = await Promise.all([
    send(token, "/graphs"),
    send(token, "/nothing"),
    send(token, "/runs", {}),
    send("cs_unknown", "/graphs"),
    send(null, "/graphs"),
    send(null, "/openapi.json"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 422, 401, 401, 200]);
  const named = answers.map(({ headers }) => [headers.get("ratelimit-policy"), headers.get("ratelimit")?.replaceAll(/=\d+/gu, "=n")]);
  const ofToken = ['"token";q=300;w=60', '"token";r=n;t=n'];
  const ofAddress = ['"address";q=60;w=60', '"address";r=n;t=n'];
  expect(named).toEqual([ofToken, ofToken, ofToken, ofToken, ofAddress, ofAddress]);
});
