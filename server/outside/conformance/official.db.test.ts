import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pickEnvironment } from "@/bin/testing";
import { openStand, type Stand } from "@/server/outside/testing/fixture";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const ROOT = path.resolve(import.meta.dirname, "../../..");

const open = await openStand();
let stand: Stand;
let proxy: Server;
let url: string;

const REQUESTS_PER_TOKEN = 250;

const createForwarder = (target: URL) => {
  let requests = 0;
  let token = stand.mint();

  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    requests += 1;
    if (requests % REQUESTS_PER_TOKEN === 0) token = stand.mint();
    const { token: secret } = await token;
    const { host = "", origin } = incoming.headers;
    const isOwn = host === `127.0.0.1:${incoming.socket.localPort ?? 0}`;
    const mapped = {
      host: isOwn ? target.host : host,
      ...(origin === undefined ? {} : { origin: isOwn && URL.parse(origin)?.host === host ? target.origin : origin }),
    };
    const { hostname, port } = target;
    const headers = { ...incoming.headers, ...mapped, authorization: `Bearer ${secret}` };
    const forwarded = send({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.once("close", () => forwarded.destroy());
    forwarded.once("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  };
};

const openProxy = async (target: URL): Promise<Server> => {
  const forward = createForwarder(target);
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing).catch(() => outgoing.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return server;
};

beforeAll(async () => {
  stand = await open();
  const target = new URL(stand.url(await stand.graphId("refund-desk")));
  proxy = await openProxy(target);
  const address = proxy.address();
  url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}${target.pathname}`;
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await stand.close();
});

const run = async (revision: string): Promise<{ readonly code: number | null; readonly text: string }> => {
  const child = spawn(
    process.execPath,
    [
      path.join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
      "server",
      "--url",
      url,
      "--requirements",
      revision,
      "--expected-failures",
      path.join(import.meta.dirname, `not-applicable-${revision}.yaml`),
    ],
    { cwd: stand.desk.installation.home, env: { NODE_ENV: "production", ...pickEnvironment(["PATH"]) }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const [code] = (await once(child, "close")) as [number | null];

  return { code, text };
};

test.each(["2025-11-25", "2026-07-28"])("passes every scenario of %s that applies", async (revision) => {
  const { code, text } = await run(revision);
  expect({ code, said: code === 0 ? "" : text }).toEqual({ code: 0, said: "" });
});
