import { generateKeyPairSync, randomUUID } from "node:crypto";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeHandoverDigest } from "@/lib/engine/ledger/handover";
import { useDatabase } from "@/server/db/client";
import { startHealthServer, type HealthServer } from "@/server/runner/health-server";
import { createReadiness, type Readiness } from "@/server/runner/readiness";
import { loadSignerFromPem } from "@/server/security/keyring";
import { beat } from "@/server/store/health";
import { hintHandover } from "@/server/store/trust/key-hints";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const TOKEN = "a-token-of-this-test-alone";

const newSigner = () => loadSignerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());

type Asked = {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string;
};
type Answer = { readonly status: number; readonly text: string; readonly headers: http.IncomingHttpHeaders };

const ask = (port: number, path: string, { body, ...options }: Asked = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port, path, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    request.on("error", reject);
    request.end(body);
  });

const open = async (token: string | undefined, readiness: Readiness, now: () => number = Date.now): Promise<HealthServer> =>
  startHealthServer({ host: "127.0.0.1", port: 0, token }, { now, id: randomUUID }, readiness);

describe("a runner", () => {
  const signer = newSigner();
  const next = newSigner();
  let at = Date.now();
  const readiness = createReadiness({ now: () => at, id: randomUUID }, signer);
  let server: HealthServer;
  const ready = async () => {
    at += 1_500;
    const { status, text } = await ask(server.port, "/ready");

    return `${status} ${text.trim()}`;
  };
  beforeAll(async () => {
    server = await open(undefined, readiness, () => at);
  });
  afterAll(() => server.close());

  it("is ready once its row is renewed, for as long as the web considers it alive", async () => {
    expect(await ready()).toBe("503 heartbeat_missing");
    readiness.beaten();
    expect(await ready()).toBe("200 ok");
    at += 10_000;
    expect(await ready()).toBe("200 ok");
    at += 5_500;
    expect(await ready()).toBe("503 heartbeat_missing");
    readiness.beaten();
    expect(await ready()).toBe("200 ok");
  });

  it("is alive but not ready without its database", async () => {
    await useDatabase("postgresql://user@127.0.0.1:1/none");
    try {
      expect(await ready()).toBe("503 database_unreachable");
      expect((await ask(server.port, "/health")).status).toBe(200);
      expect((await ask(server.port, "/metrics")).text).toContain("countersign_due_runs Nan");
    } finally {
      await useDatabase(urls.runner);
    }
    expect(await ready()).toBe("200 ok");
  });

  it("is not ready once its signing key's handover is in force", async () => {
    const statement = { from: signer.kid, to: next.kid, to_key: next.publicKey, at: at + 10_000 };
    const digest = computeHandoverDigest(statement);
    await hintHandover(signer, { statement, signature: signer.signDigest(digest), countersignature: next.signDigest(digest) });
    expect(await ready()).toBe("200 ok");
    at += 10_000;
    expect(await ready()).toBe("503 key_retired");
  });

  it("is not ready while draining", async () => {
    readiness.drain();
    expect(await ready()).toBe("503 draining");
  });
});

describe("a listener", () => {
  const readiness = createReadiness({ now: Date.now, id: randomUUID }, newSigner());

  it("requires the metrics token, if set, even from this machine", async () => {
    const server = await open(TOKEN, readiness);
    const status = async (authorization?: string) =>
      (await ask(server.port, "/metrics", { headers: authorization === undefined ? {} : { authorization } })).status;
    expect(await status()).toBe(401);
    expect(await status("Bearer ")).toBe(401);
    expect(await status(`Bearer ${TOKEN}x`)).toBe(401);
    expect(await status(`Bearer ${TOKEN.slice(1)}`)).toBe(401);
    expect(await status(TOKEN)).toBe(401);
    expect(await status(`Bearer ${TOKEN}`)).toBe(200);
    await server.close();
  });

  it("without a token shows metrics to this machine only, and not under another Host name", async () => {
    const server = await open(undefined, readiness);
    await beat("one");
    const { status, text, headers } = await ask(server.port, "/metrics");
    expect(status).toBe(200);
    expect(headers["content-type"]).toContain("text/plain; version=0.0.4");
    expect(headers["cache-control"]).toBe("no-store");
    expect(text).toContain("countersign_runners 1\n");
    expect(text).toContain("countersign_due_runs 0\n");
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
    expect((await ask(server.port, "/metrics", { headers: { host: "rebound.example" } })).status).toBe(401);
    await server.close();
  });

  it("without a token does not listen on other interfaces", async () => {
    const clock = { now: Date.now, id: randomUUID };
    for (const host of ["0.0.0.0", "::", "192.0.2.1", "runner.example"]) {
      await expect(startHealthServer({ host, port: 0, token: undefined }, clock, readiness)).rejects.toThrow(/COUNTERSIGN_METRICS_TOKEN/);
    }
  });

  it("accepts no input and has nothing else", async () => {
    const server = await open(undefined, readiness);
    expect((await ask(server.port, "/health", { method: "POST", body: "{}" })).status).toBe(405);
    expect((await ask(server.port, "/health", { method: "DELETE" })).status).toBe(405);
    expect((await ask(server.port, "/health", { headers: { "content-length": "2" }, body: "{}" })).status).toBe(400);
    expect((await ask(server.port, "/health", { method: "HEAD" })).text).toBe("");
    expect((await ask(server.port, "/")).status).toBe(404);
    expect((await ask(server.port, `/health?${"x".repeat(20_000)}`)).status).toBe(431);
    await server.close();
  });
});
