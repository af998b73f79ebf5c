import http from "node:http";
import net from "node:net";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "@/server/clock";
import { createEgress } from "@/server/security/egress";
import { createClientDocuments, getDocumentHost, isDocumentId, readDocument } from "./client-document";

const REDIRECT = "http://127.0.0.1:33418/callback";
type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly text: (id: string) => string };

const document = (id: string, change: object = {}): string =>
  JSON.stringify({ client_id: id, client_name: "Editor", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none", ...change });

const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };

const read = async ({ status = 200, headers = JSON_HEADERS, text }: Answer) => {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(status, headers).end(text(id));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const id = `${origin}/client.json`;
  const egress = createEgress({ policy: { allowOrigins: [origin] }, maxResponseBytes: 10_240 });
  onTestFinished(async () => {
    await egress.close();
    server.close();
  });

  return { client: await readDocument(id, egress.fetch), asked };
};

it("reads a public client's name and redirect URIs", async () => {
  expect((await read({ text: (id) => document(id) })).client).toEqual({ name: "Editor", redirectUris: [REDIRECT] });
});

it("names a client without a name by its host", async () => {
  const { client } = await read({ text: (id) => document(id, { client_name: undefined }) });
  expect(client?.name).toMatch(/^127\.0\.0\.1:\d+$/);
});

it.each<[string, Answer]>([
  ["another client id", { text: () => document("https://other.test/client.json") }],
  ["a client secret", { text: (id) => document(id, { token_endpoint_auth_method: "client_secret_basic" }) }],
  ["no redirect URI", { text: (id) => document(id, { redirect_uris: [] }) }],
  ["a script as redirect URI", { text: (id) => document(id, { redirect_uris: ["javascript:alert(1)"] }) }],
  ["other grants only", { text: (id) => document(id, { grant_types: ["client_credentials"] }) }],
  ["other responses only", { text: (id) => document(id, { response_types: ["token"] }) }],
  ["a name with a text direction", { text: (id) => document(id, { client_name: "Edi\u202Etor" }) }],
  ["another type", { text: (id) => document(id), headers: { "content-type": "text/html" } }],
  ["another status", { text: (id) => document(id), status: 203 }],
  ["no JSON", { text: () => "<html>" }],
  ["more than 10 kB", { text: (id) => document(id, { more: "x".repeat(10_240) }) }],
])("refuses a document with %s", async (_what, answer) => {
  expect((await read(answer)).client).toBeNull();
});

it("follows no redirect", async () => {
  const found = await read({ status: 302, headers: { ...JSON_HEADERS, location: "/other.json" }, text: (id) => document(id) });
  expect(found).toEqual({ client: null, asked: ["/client.json"] });
});

it.each([
  "https://127.0.0.1:PORT/c.json",
  "https://localhost:PORT/c.json",
  "https://rebound.test:PORT/c.json",
  "https://[::1]:PORT/c.json",
])("never connects to %s, which is not public", async (form) => {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => void server.close());
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  const readClient = createClientDocuments({ clock: systemClock, resolve });
  expect(await readClient(form.replace("PORT", String((server.address() as AddressInfo).port)))).toBeNull();
  expect(connections).toBe(0);
});

it("asks once in half a minute for a document that fails", async () => {
  let [now, lookups] = [0, 0];
  const resolve = async () => {
    lookups += 1;

    return [{ address: "10.0.0.1", family: 4 }];
  };
  const readClient = createClientDocuments({ clock: { ...systemClock, now: () => now }, resolve });
  const ask = () => readClient("https://client.test/c.json");
  expect(await Promise.all([ask(), ask()])).toEqual([null, null]);
  await ask();
  expect(lookups).toBe(1);
  now = 30_001;
  await ask();
  expect(lookups).toBe(2);
});

it("takes only https addresses in normal form with a path as client ids", () => {
  expect(["https://client.test/c.json", "https://client.test:8443/a/b"].map(isDocumentId)).toEqual([true, true]);
  const refused = [
    "http://client.test/c.json",
    "https://client.test",
    "https://client.test/",
    "https://client.test/a/../c.json",
    "https://client.test/c.json#a",
    "https://client.test/c.json?a=b",
    "https://user@client.test/c.json",
    "https://CLIENT.test/c.json",
    `https://client.test/${"a".repeat(300)}`,
    "com.example.app:/c.json",
  ];
  expect(refused.filter(isDocumentId)).toEqual([]);
  expect(["https://client.test:8443/c", "plain"].map(getDocumentHost)).toEqual(["client.test:8443", null]);
});
