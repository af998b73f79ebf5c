import { randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProvenCall } from "@/lib/engine/outside/call-proof";
import { newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { proveCall, type ProofChange } from "@/lib/engine/testing/proven-call";
import type { JsonObject } from "@/lib/json";
import { DEFAULT_CALL_LIMITS } from "@/lib/mcp/call-limits";
import type { CallProgress } from "@/lib/mcp/progress";
import { POOL_TIMES } from "@/server/ipc/process-pool";
import type { ToolOutcome } from "@/server/mcp/answer";
import type { Connection } from "@/server/mcp/connection";
import { openSmtp } from "@/server/notify/testing/smtp";
import { RUG_PULL } from "@/server/mcp/testing/installation";
import { processFailureOf } from "@/server/mcp/server-failure";
import { offerFile } from "@/server/mcp/testing/programs";
import { bundleToolHost, digestIn, openingOf, openToolHosts, plantKey, separateInstallation } from "./testing/hosts";
import type { ToolHosts } from "./connector";

const installation = await separateInstallation();
const WORKSPACE = randomUUID();
const SERVER = "hostile";
let key: TestKey;
let hosts: ToolHosts;
let manifest: Awaited<ReturnType<typeof offerFile>>;

beforeAll(async () => {
  await bundleToolHost(installation);
  key = await plantKey(installation);
  manifest = await offerFile(installation, "hostile", RUG_PULL);
  hosts = openToolHosts(installation, { times: { ...POOL_TIMES, silentMs: 4_000 } });
}, 120_000);
afterAll(() => hosts.connector.close());

const open = (workspace = WORKSPACE): Promise<Connection> =>
  hosts.connector.open(openingOf(workspace, SERVER, { type: "stdio", manifest }));

type Asked = { readonly connection: Connection; readonly call: Omit<ProvenCall, "meta"> };

const ready = async (tool: string, args: JsonObject, workspace = WORKSPACE): Promise<Asked> => {
  const connection = await open(workspace);
  const catalog = await connection.catalog({ fresh: true });

  return { connection, call: { workspace, server: SERVER, tool, definitionDigest: digestIn(catalog, tool), arguments: args } };
};

const patience = (): AbortSignal => AbortSignal.timeout(60_000);

const callBy = async ({ connection, call }: Asked, change: ProofChange = {}, signer = key): Promise<ToolOutcome> => {
  const proven = await proveCall(signer, call, change);

  return connection.call({ tool: call.tool, arguments: call.arguments, ...proven }, patience());
};

const isAlive = (pid: number): boolean => {
  try {
    // A zombie is not alive, which only its state shows.
    return !fs.readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};

const childrenOf = (pid: number): number[] =>
  fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

describe("a tool host", () => {
  it("lists and calls for a proof, and passes progress on", async () => {
    const asked = await ready("echo", { text: "hello" });
    expect(await callBy(asked)).toMatchObject({ status: "ok", result: { text: "hello" }, fault: null });
    expect(await callBy(asked, { receipt: {} })).toMatchObject({ status: "ok" });
    const said: CallProgress[] = [];
    const slow = await ready("misbehave", { how: "nearly" });
    const proven = await proveCall(key, slow.call);
    const limits = { ...DEFAULT_CALL_LIMITS, timeout_ms: 1_000, total_ms: 1_500 };
    const outcome = await slow.connection.call(
      { tool: "misbehave", arguments: slow.call.arguments, ...proven, limits, onProgress: (one) => said.push(one) },
      patience(),
    );
    expect(outcome).toMatchObject({ status: "tool_error", fault: "timeout" });
    expect(said.length).toBeGreaterThan(0);
  });

  it("refuses a call without its exact proof", async () => {
    const { connection, call } = await ready("echo", { text: "hello" });
    const send = async (args: JsonObject, proven: Partial<Awaited<ReturnType<typeof proveCall>>>) =>
      connection.call({ tool: "echo", arguments: args, meta: {}, ...proven }, patience());
    const refused = (fault: string) => ({ status: "unauthorized", result: null, fault });
    expect(await send(call.arguments, {})).toEqual(refused("proof_missing"));
    expect(await send({ text: "other" }, await proveCall(key, call))).toEqual(refused("intent_differs"));
    expect(await send(call.arguments, await proveCall(key, { ...call, server: "other" }))).toEqual(refused("intent_differs"));
    expect(await send(call.arguments, await proveCall(key, { ...call, workspace: randomUUID() }))).toEqual(refused("record_differs"));
    expect(await send(call.arguments, await proveCall(await newKey(key.kid), call))).toEqual(refused("record_forged"));
    expect(await send(call.arguments, await proveCall(key, call, { receipt: { expires_at: 1 } }))).toEqual(refused("receipt_expired"));
    expect(await send(call.arguments, await proveCall(key, call, { receipt: { run: randomUUID() } }))).toEqual(refused("receipt_differs"));
    expect(await send(call.arguments, await proveCall(key, call, { intent: { effect_class: "irreversible" } }))).toEqual(
      refused("receipt_missing"),
    );
  });

  it("calls the definition it lists, whatever the control plane assumes", async () => {
    const { connection, call } = await ready("echo", { text: "hello" });
    expect(await callBy({ connection, call: { ...call, definitionDigest: "0".repeat(64) } })).toMatchObject({
      status: "unauthorized",
      fault: "intent_differs",
    });
    expect(await callBy({ connection, call: { ...call, tool: "become" } })).toMatchObject({
      status: "unauthorized",
      fault: "intent_differs",
    });
  });

  it("makes an answered call once, an idempotent one again until answered", async () => {
    const asked = await ready("echo", { text: "hello" });
    for (const idempotent of [false, true]) {
      const proven = await proveCall(key, asked.call, { intent: { idempotent } });
      const send = () => asked.connection.call({ tool: "echo", arguments: asked.call.arguments, ...proven }, patience());
      expect(await send()).toMatchObject({ status: "ok" });
      expect(await send()).toMatchObject({ status: "unauthorized", fault: "proof_spent" });
    }
  });

  it("reads a resource, and says when it changed", async () => {
    const feed = await offerFile(installation, "feed", path.resolve("server/mcp/testing/sdk-server.ts"));
    const updated = Promise.withResolvers<string>();
    const opening = openingOf(WORKSPACE, "feed", { type: "stdio", manifest: feed });
    const connection = await hosts.connector.open(opening, updated.resolve);
    const read = (uri: string) => connection.readResource(uri, patience());
    const textOf = (text: string) => ({ ok: true, content: { mime_type: "", text }, isSubscribed: true });
    expect(await read("orders://latest")).toEqual(textOf("A-1"));
    expect(await updated.promise).toBe("orders://latest");
    expect(await read("orders://latest")).toEqual(textOf("A-2"));
    expect(await read("orders://none")).toEqual({ ok: false, fault: "resource_refused" });
    await connection.close();
    expect(await read("orders://latest")).toEqual({ ok: false, fault: "unreachable" });
  });

  it("reports why a server is unreachable", async () => {
    const unknown = { ...manifest, digest: "0".repeat(64) };
    await expect(hosts.connector.open(openingOf(WORKSPACE, "a", { type: "stdio", manifest: unknown }))).rejects.toMatchObject({
      code: "manifest_invalid",
      message: "The program is not the one that was confirmed: it was updated, or the operator changed it.",
    });
    await expect(hosts.connector.open(openingOf(WORKSPACE, "b", { type: "http", url: "http://127.0.0.1:1/mcp" }))).rejects.toMatchObject({
      code: "egress_blocked",
    });
  });

  it("passes on how a server's process failed and what it wrote last", async () => {
    const file = path.join(installation.home, "broken.mjs");
    fs.writeFileSync(file, 'console.error("config.json is missing"); process.exit(3);');
    const broken = await offerFile(installation, "broken", file);
    const error: unknown = await hosts.connector
      .open(openingOf(WORKSPACE, "c", { type: "stdio", manifest: broken }))
      .catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: "server_unreachable",
      message: expect.stringContaining("its process exited with code 3") as string,
    });
    expect(processFailureOf(error)).toMatchObject({ exitCode: 3, output: "config.json is missing" });
  });

  it("forwards an abort to the server and stays up", async () => {
    const slow = await ready("misbehave", { how: "slow" });
    const proven = await proveCall(key, slow.call);
    const controller = new AbortController();
    const calling = slow.connection.call({ tool: "misbehave", arguments: slow.call.arguments, ...proven }, controller.signal);
    await slow.connection.catalog({ fresh: true });
    controller.abort(new Error("given up"));
    await expect(calling).rejects.toThrow("given up");
    expect(slow.connection.isOpen()).toBe(true);
    expect(await callBy(await ready("echo", { text: "still here" }))).toMatchObject({ status: "ok" });
  });

  it.each(["SIGKILL", "SIGSTOP"] as const)("ending by %s fails only its workspace's calls and ends its servers", async (signal) => {
    const one = randomUUID();
    const neighbour = await ready("echo", { text: "hello" });
    const before = new Set(hosts.pids());
    const slow = await ready("misbehave", { how: "slow" }, one);
    const [pid = 0] = hosts.pids().filter((each) => !before.has(each));
    const calling = callBy(slow);
    await slow.connection.catalog({ fresh: true });
    const children = childrenOf(pid);
    expect(children).not.toEqual([]);
    process.kill(pid, signal);
    expect(await calling).toMatchObject({ status: "tool_error", fault: "connection_lost" });
    expect(slow.connection.isOpen()).toBe(false);
    expect(await callBy(neighbour)).toMatchObject({ status: "ok" });
    await expect.poll(() => [pid, ...children].filter(isAlive), { timeout: 10_000 }).toEqual([]);
    expect(await callBy(await ready("echo", { text: "again" }, one))).toMatchObject({ status: "ok" });
  });

  it("sends a message to an allowed endpoint only", async () => {
    const received: string[] = [];
    const endpoint = http.createServer((request, response) => {
      received.push(String(request.headers["webhook-id"]));
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
    const sending = openToolHosts(installation, { messages: { allowOrigins: [origin] } });
    const message = { payload: "{}", headers: { "webhook-id": "m1" } };
    try {
      expect(await sending.send(WORKSPACE, { ...message, url: `${origin}/hook` })).toEqual({ ok: true, code: 204 });
      expect(await hosts.send(WORKSPACE, { ...message, url: `${origin}/hook` })).toEqual({ ok: false, code: null, fault: "blocked" });
      expect(received).toEqual(["m1"]);
    } finally {
      endpoint.close();
      await sending.connector.close();
    }
  });

  it("sends an e-mail from a host of its own, beside no workspace's programs", async () => {
    const smtp = await openSmtp();
    const sending = openToolHosts(installation);
    const server = { host: "127.0.0.1", port: smtp.port, tls: "off", user: null, password: null } as const;
    const text = { subject: "s", text: "t", html: "<p>t</p>", unsubscribeUrl: "https://desk.example.com/settings" };
    const request = { server, from: "a@example.com", to: "b@example.com", messageId: "<1@example.com>", ...text };
    try {
      expect(await sending.mail(request)).toEqual({ ok: true, code: 250 });
      expect(await sending.mail({ ...request, to: "c@example.com" })).toEqual({ ok: true, code: 250 });
      expect(smtp.mails.flatMap(({ to }) => to)).toEqual(["b@example.com", "c@example.com"]);
      expect(sending.pids()).toHaveLength(1);
      await sending.connector.open(openingOf(WORKSPACE, SERVER, { type: "stdio", manifest }));
      expect(sending.pids()).toHaveLength(2);
    } finally {
      await smtp.close();
      await sending.connector.close();
    }
  });
});
