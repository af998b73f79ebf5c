import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { hexToBytes } from "@noble/hashes/utils.js";
import { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { encodeReceipt } from "@/lib/engine/ledger/chain";
import type { Receipt, ReceiptPayload } from "@/lib/engine/approvals/receipt";
import { computeHandoverDigest } from "@/lib/engine/ledger/handover";
import { createAnchor, computeKid, withHandover } from "@/lib/engine/ledger/trust-anchor";
import { digestOf } from "@/lib/hash";
import type { JsonObject } from "@/lib/json";
import { systemClock } from "@/server/clock";
import type { McpService } from "@/server/mcp/service";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { bundleCustomers } from "@/server/mcp/testing/bundles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { bundledManifest } from "@/server/mcp/testing/programs";
import { activeServer, testWorkspace } from "@/server/mcp/testing/registered";
import { writeAnchor } from "@/server/security/anchor-file";
import { plantAnchor } from "@/server/security/testing/anchor";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const keys = generateKeyPairSync("ed25519");
const others = generateKeyPairSync("ed25519");
const next = generateKeyPairSync("ed25519");
const rawOf = ({ publicKey }: typeof keys): string => publicKey.export({ format: "jwk" }).x ?? "";
const K1 = computeKid(rawOf(keys));
const K2 = computeKid(rawOf(next));
const table = new Pool({ connectionString: urls.customers });
const MARIA = "cus_1001";
const CHANGE = { customer_id: MARIA, plan: "team", credit_cents: 500, reason: "asked for it" };

let mcp: McpService;
let workspace: string;
let definitions: ReadonlyMap<string, string>;

beforeAll(async () => {
  await bundleCustomers(installation);
  await plantAnchor(installation.home, { kid: K1, publicKey: rawOf(keys) });
  workspace = await testWorkspace(urls.admin);
  mcp = createLocalMcp({ clock: systemClock, installation, customersUrl: urls.customers });
  const row = await activeServer(workspace, mcp, {
    id: "customers",
    manifest: await bundledManifest("customers", installation),
    agents: ["node", "planner"],
  });
  definitions = new Map(row.tools.map((tool) => [tool.name, tool.pinnedDigest ?? ""]));
}, 60_000);
afterAll(async () => {
  await mcp.close();
  await table.end();
});
beforeEach(async () => {
  await table.query("delete from customers.applied_change");
  await table.query("update customers.customer set plan = 'starter', credit_cents = 0 where customer_id = $1", [MARIA]);
});

const payloadFor = (change: JsonObject, over: Partial<ReceiptPayload> = {}): ReceiptPayload => ({
  v: 1,
  workspace,
  run: randomUUID(),
  approval_id: randomUUID(),
  transition_digest: "1".repeat(64),
  graph_hash: "2".repeat(64),
  policy_hash: "3".repeat(64),
  effect: {
    server: "customers",
    tool: "update_plan",
    definition_digest: definitions.get("update_plan") ?? "",
    arguments_digest: digestOf("arguments", change),
  },
  reviewers: [{ user: randomUUID(), view_digest: "4".repeat(64), at: 1 }],
  nonce: randomUUID(),
  issued_at: Date.now(),
  expires_at: Date.now() + 60_000,
  ...over,
});

const signed = (payload: ReceiptPayload, by = keys, kid = K1): Receipt => ({
  payload,
  kid,
  signature: sign(null, encodeReceipt(payload), by.privateKey).toString("base64url"),
});

const call = (tool: string, args: JsonObject, receipt: Receipt | null, effectId: string = randomUUID()) =>
  mcp.call(
    {
      workspace,
      server: "customers",
      tool,
      arguments: args,
      caller: "node",
      definitionDigest: definitions.get(tool) ?? "",
      effectId,
      idempotencyKey: effectId,
      receipt,
    },
    AbortSignal.timeout(10_000),
  );

const maria = async (): Promise<unknown> => {
  const { rows } = await table.query<Record<string, unknown>>("select plan, credit_cents from customers.customer where customer_id = $1", [
    MARIA,
  ]);

  return rows[0];
};
const UNCHANGED = { plan: "starter", credit_cents: 0 };
const refusal = (code: string) => ({ status: "tool_error", result: { error: { code } } });

describe("find_customer", () => {
  it("returns the record, and a tool error for an unknown id", async () => {
    expect(await call("find_customer", { email: "maria.lindqvist@nordlicht.example" }, null)).toEqual({
      status: "ok",
      result: { customer_id: MARIA, email: "maria.lindqvist@nordlicht.example", name: "Maria Lindqvist", ...UNCHANGED, is_admin: false },
    });
    expect(await call("find_customer", { email: "unknown@nowhere.example" }, null)).toMatchObject(refusal("customer_unknown"));
  });
});

describe("update_plan refuses and leaves the table unchanged", () => {
  it("without a receipt", async () => {
    expect(await call("update_plan", CHANGE, null)).toMatchObject(refusal("receipt_missing"));
    expect(await maria()).toEqual(UNCHANGED);
  });

  it.each([
    ["other arguments", () => signed(payloadFor({ ...CHANGE, credit_cents: 499 })), "receipt_other_effect"],
    ["another tool", () => signed(payloadFor(CHANGE, { effect: { ...effect(), tool: "find_customer" } })), "receipt_other_effect"],
    ["another server", () => signed(payloadFor(CHANGE, { effect: { ...effect(), server: "crm" } })), "receipt_other_effect"],
    ["no effect at all", () => signed(payloadFor(CHANGE, { effect: null })), "receipt_other_effect"],
    ["a signature of another key", () => signed(payloadFor(CHANGE), others), "receipt_forged"],
    ["a key that is not known", () => signed(payloadFor(CHANGE), keys, K2), "receipt_forged"],
    ["a key named like a property of every object", () => signed(payloadFor(CHANGE), keys, "constructor"), "receipt_forged"],
    ["a payload changed after signing", () => ({ ...signed(payloadFor(CHANGE)), payload: payloadFor(CHANGE) }), "receipt_forged"],
    ["an expiry in the past", () => signed(payloadFor(CHANGE, { expires_at: Date.now() - 1 })), "receipt_expired"],
  ])("with a receipt that has %s", async (_name, receipt, code) => {
    expect(await call("update_plan", CHANGE, receipt())).toMatchObject(refusal(code));
    expect(await maria()).toEqual(UNCHANGED);
  });

  it("with a receipt used under another key", async () => {
    const receipt = signed(payloadFor(CHANGE));
    expect(await call("update_plan", CHANGE, receipt)).toMatchObject({ status: "ok" });
    expect(await call("update_plan", CHANGE, receipt)).toMatchObject(refusal("receipt_used"));
    expect(await maria()).toEqual({ plan: "team", credit_cents: 500 });
  });

  it("with a key used for another change", async () => {
    const key = randomUUID();
    const second = { ...CHANGE, credit_cents: 900 };
    await call("update_plan", CHANGE, signed(payloadFor(CHANGE)), key);
    expect(await call("update_plan", second, signed(payloadFor(second)), key)).toMatchObject(refusal("key_reused"));
    expect(await maria()).toEqual({ plan: "team", credit_cents: 500 });
  });

  it("for an unknown customer", async () => {
    const change = { ...CHANGE, customer_id: "cus_9" };
    expect(await call("update_plan", change, signed(payloadFor(change)))).toMatchObject(refusal("customer_unknown"));
  });
});

const effect = () => ({
  server: "customers",
  tool: "update_plan",
  definition_digest: definitions.get("update_plan") ?? "",
  arguments_digest: digestOf("arguments", CHANGE),
});

describe("update_plan with a matching receipt", () => {
  it("writes once and returns what it wrote", async () => {
    expect(await call("update_plan", CHANGE, signed(payloadFor(CHANGE)))).toMatchObject({
      status: "ok",
      result: { status: "updated", customer: { customer_id: MARIA, plan: "team", credit_cents: 500, is_admin: false } },
    });
    expect(await maria()).toEqual({ plan: "team", credit_cents: 500 });
  });

  it("answers a repeated key without writing again, also concurrently and after a crash", async () => {
    const receipt = signed(payloadFor(CHANGE));
    const key = randomUUID();
    const both = await Promise.all([call("update_plan", CHANGE, receipt, key), call("update_plan", CHANGE, receipt, key)]);
    await mcp.evict(workspace, "customers");
    const third = await call("update_plan", CHANGE, receipt, key);
    expect(both[0]).toMatchObject({ status: "ok" });
    expect(both[1]).toEqual(both[0]);
    expect(third).toEqual(both[0]);
    expect(await maria()).toEqual({ plan: "team", credit_cents: 500 });
  });
});

it("never exposes its connection string", async () => {
  const text = JSON.stringify(await call("find_customer", { email: "maria.lindqvist@nordlicht.example" }, null));
  expect(text).not.toContain(new URL(urls.customers).password);
});

it("accepts a key anchored after its start, and no later receipts of the retired key", async () => {
  const receipt = signed(payloadFor(CHANGE), next, K2);
  expect(await call("update_plan", CHANGE, receipt)).toMatchObject(refusal("receipt_forged"));
  const statement = { from: K1, to: K2, to_key: rawOf(next), at: Date.now() - 1_000 };
  const by = ({ privateKey }: typeof keys) => sign(null, hexToBytes(computeHandoverDigest(statement)), privateKey).toString("base64url");
  const anchor = createAnchor({ kid: K1, public_key: rawOf(keys), since: 0 });
  await writeAnchor(installation.home, withHandover(anchor, { statement, signature: by(keys), countersignature: by(next) }, 0));

  expect(await call("update_plan", CHANGE, receipt)).toMatchObject({ status: "ok" });
  expect(await maria()).toEqual({ plan: "team", credit_cents: 500 });
  expect(await call("update_plan", CHANGE, signed(payloadFor(CHANGE)))).toMatchObject(refusal("receipt_forged"));
  const early = signed(payloadFor(CHANGE, { issued_at: statement.at }));
  expect(await call("update_plan", CHANGE, early)).toMatchObject({ status: "ok" });
});

it("keeps its anchor when the file is replaced without a valid handover", async () => {
  await plantAnchor(installation.home, { kid: computeKid(rawOf(others)), publicKey: rawOf(others) });
  expect(await call("update_plan", CHANGE, signed(payloadFor(CHANGE), others, computeKid(rawOf(others))))).toMatchObject(
    refusal("receipt_forged"),
  );
});
