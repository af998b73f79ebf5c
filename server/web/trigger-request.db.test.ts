import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import {
  listEvents,
  listRefusals,
  listRuns,
  look,
  openTriggerWorld,
  publishOrders,
  shopHook,
  sign,
  type TriggerWorld,
} from "@/server/runner/testing/triggers";
import { testDatabase } from "@/server/testing/database";
import { handleTriggerRequest } from "./trigger-request";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let world: TriggerWorld;
let graphId: string;

const useRole = async (role: "web" | "runner"): Promise<void> => {
  closeRunBus();
  await useDatabase(urls[role]);
};

beforeAll(async () => {
  const key = randomBytes(32).toString("hex");
  world = await openTriggerWorld(urls, undefined, key);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), key, { mode: 0o600 });
});
beforeEach(async () => {
  await useRole("runner");
  ({ graphId } = await publishOrders(world, [shopHook()]));
  await useRole("web");
});
afterAll(closeRunBus);

const BODY = '{"order":"A-7"}';

type Change = { readonly trigger?: string; readonly graph?: string; readonly headers?: Record<string, string> };

const post = (body: string | Buffer, { trigger = "shop", graph = graphId, headers = {} }: Change = {}) =>
  handleTriggerRequest(
    new Request("http://localhost/api/triggers", { method: "POST", body: typeof body === "string" ? body : new Uint8Array(body), headers }),
    { workspaceId: world.workspace, graphId: graph, trigger },
  );

const lookAsRunner = async (): Promise<void> => {
  await useRole("runner");
  await look(world);
};

test("passes the raw bytes on, sealed, and starts nothing itself", async () => {
  const body = ' {"order" : "Ä-7"} ';
  const response = await post(body, { headers: { ...sign(body), authorization: "Bearer never kept" } });
  expect([response.status, await response.json()]).toEqual([202, { id: expect.any(String) as string }]);
  expect(await listRuns(world, graphId)).toEqual([]);
  await lookAsRunner();
  expect((await listEvents(world, graphId)).map(({ status }) => status)).toEqual(["started"]);
});

test("passes an oversized event on without its bytes", async () => {
  const body = Buffer.alloc(256 * 1_024 + 1, 0x20);
  expect((await post(body, { headers: sign(body.toString()) })).status).toBe(202);
  expect((await listEvents(world, graphId)).every(({ size }) => size < 1_024)).toBe(true);
  await lookAsRunner();
  expect((await listRefusals(world, graphId)).map(({ refusal }) => refusal?.code)).toEqual(["trigger_too_large"]);
});

test("knows no other trigger, graph or form of address, and stores nothing for them", async () => {
  for (const other of [{ trigger: "other" }, { trigger: "../shop" }, { graph: randomUUID() }, { graph: "not-an-id" }])
    expect((await post(BODY, { ...other, headers: sign(BODY) })).status).toBe(404);
  expect(await listEvents(world, graphId)).toEqual([]);
});

test("answers Slack's question with plain text, and nothing that is no word", async () => {
  const ask = (challenge: string) => post(JSON.stringify({ type: "url_verification", challenge }));
  const response = await ask("3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P");
  expect([response.status, response.headers.get("content-type"), response.headers.get("x-content-type-options")]).toEqual([
    200,
    "text/plain",
    "nosniff",
  ]);
  expect(await response.text()).toBe("3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P");
  expect((await ask("<script>alert(1)</script>")).status).toBe(202);
});

test("takes no more events than a runner could ever have left", async () => {
  await asAdmin(
    urls.admin,
    "insert into trigger_event (workspace_id, id, graph_id, trigger) select $1, gen_random_uuid(), $2, 'shop' from generate_series(1, 200)",
    [world.workspace, graphId],
  );
  expect((await post(BODY, { headers: sign(BODY) })).status).toBe(503);
});
