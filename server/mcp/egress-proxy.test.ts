import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { landlockAbi } from "@/server/sandbox/launcher/native.mjs";
import { NO_NETWORK } from "@/server/sandbox/policy";
import { buildServerPolicy } from "@/server/sandbox/server-policy";
import type { Resolve } from "@/server/security/egress-connect";
import { openEgressProxy, type EgressLimits, type EgressProxy, type EgressRules } from "./egress-proxy";
import { createStdioTransport } from "./stdio-transport";

const root = process.cwd();
const hasPorts = process.platform === "linux" && landlockAbi() >= 4;

const asked: string[] = [];
let connections = 0;
const service = http.createServer((request, response) => {
  asked.push(`${request.method} ${request.headers.host}${request.url}`);
  if (request.url === "/endless") {
    const block = Buffer.alloc(65_536);
    const more = (): void => {
      while (!response.destroyed && response.write(block));
      response.once("drain", more);
    };

    return more();
  }
  response.end(JSON.stringify(request.headers));
});
service.on("connection", () => (connections += 1));
let port = 0;

beforeAll(async () => {
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const address = service.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

const resolve: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];

/** Only the list refuses `opened`, only its address `inner`. */
const rules = (limits: Partial<EgressLimits> = {}): EgressRules => ({
  hosts: [`api.example.org:${port}`, `inner.example.org:${port}`],
  policy: {
    allowOrigins: [],
    localOrigins: ["http://api", "https://api", "http://opened", "https://opened"].map((name) => `${name}.example.org:${port}`),
  },
  resolve,
  limits,
});

const outcomes = (attempts: readonly string[]): Promise<readonly string[]> =>
  inTemporaryFolder(async (folder) => {
    const real = fs.realpathSync(folder);
    const entry = path.join(real, "server.mjs");
    fs.writeFileSync(
      entry,
      `import net from "node:net";
      const get = async (url) => (await fetch(url)).status;
      const raw = (port) => new Promise((done, fail) => net.connect(port, "127.0.0.1", () => done("connected")).once("error", fail));
      const connectAs = (proxy, authority) => new Promise((done, fail) => {
        const { port, username, password } = new URL(proxy);
        const token = Buffer.from(username + ":" + password).toString("base64");
        const socket = net.connect(Number(port), "127.0.0.1", () =>
          socket.write("CONNECT " + authority + " HTTP/1.1\\r\\nHost: " + authority + "\\r\\nProxy-Authorization: Basic " + token + "\\r\\n\\r\\n"));
        socket.once("data", (bytes) => done(String(bytes).split("\\r\\n")[0])).once("error", fail);
      });
      const said = [];
      for (const attempt of [${attempts.map((each) => `() => ${each}`).join(", ")}])
        said.push(String(await Promise.resolve().then(attempt).catch((error) => error.cause?.code ?? error.code ?? error.message)));
      process.stdout.write(JSON.stringify({ jsonrpc: "2.0", method: "said", params: { said } }) + "\\n", () => process.exit(0));`,
    );
    const program = { entry, command: process.execPath, given: [], own: [real], read: [], network: NO_NETWORK };
    const transport = createStdioTransport({
      command: process.execPath,
      args: [entry],
      env: {},
      cwd: real,
      maxMessageBytes: 1_048_576,
      sandbox: { root, policy: buildServerPolicy(program, { home: path.join(real, "home"), root }), egress: rules() },
    });
    const said = new Promise<readonly string[]>((done, fail) => {
      Object.assign(transport, {
        onmessage: ({ params }: { readonly params: { readonly said: readonly string[] } }) => done(params.said),
        onclose: () => fail(new Error("it ended without a word")),
      });
    });
    await transport.start();
    try {
      return await said;
    } finally {
      await transport.close();
    }
  });

describe.runIf(hasPorts)("a server with named hosts", () => {
  it("reaches a named host with Node's own fetch", async () => {
    expect(await outcomes([`get("http://api.example.org:${port}/data")`])).toEqual(["200"]);
    expect(asked).toContain(`GET api.example.org:${port}/data`);
  });

  it("reaches no other host or port, and no named host at a private address", async () => {
    const authorities = [
      `other.example.org:${port}`,
      `opened.example.org:${port}`,
      "api.example.org:443",
      `inner.example.org:${port}`,
      `127.0.0.1:${port}`,
      "169.254.169.254:80",
      `api.example.org.evil.org:${port}`,
    ];
    const before = connections;
    expect(await outcomes(authorities.map((each) => `connectAs(process.env.HTTPS_PROXY, "${each}")`))).toEqual(
      authorities.map(() => "HTTP/1.1 403 Forbidden"),
    );
    // Refused before connecting.
    expect(connections).toBe(before);
  });

  it("connects only to its proxy's port, and is refused without its credential", async () => {
    const neighbour = await openEgressProxy(rules());
    onTestFinished(() => neighbour.close());
    const own = "process.env.HTTPS_PROXY";
    const theirs = JSON.stringify(neighbour.env["HTTPS_PROXY"]);
    expect(
      await outcomes([
        `raw(${port})`,
        `raw(${neighbour.port})`,
        `connectAs(${theirs}, "api.example.org:${port}")`,
        `connectAs(${own}.replace(/:[0-9a-f]+@/, ":" + new URL(${theirs}).password + "@"), "api.example.org:${port}")`,
        `connectAs(${own}, "api.example.org:${port}")`,
      ]),
    ).toEqual(["EACCES", "EACCES", "EACCES", "HTTP/1.1 407 Proxy Authentication Required", "HTTP/1.1 200 Connection Established"]);
  });
});

describe("the proxy", () => {
  const open = async (limits: Partial<EgressLimits> = {}): Promise<EgressProxy> => {
    const proxy = await openEgressProxy(rules(limits));
    onTestFinished(() => proxy.close());

    return proxy;
  };
  const authorization = ({ env }: EgressProxy): string => {
    const { username, password } = new URL(env["HTTP_PROXY"] ?? "");

    return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  };
  const dial = (proxy: EgressProxy): net.Socket => {
    const socket = net.connect(proxy.port, "127.0.0.1");
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());

    return socket;
  };
  /** `once` of node:events treats a reset as a failure. */
  const closed = (socket: net.Socket): Promise<void> => new Promise((done) => void socket.once("close", () => done()));
  const readAll = async (socket: net.Socket): Promise<string> => {
    let read = "";
    socket.on("data", (chunk: Buffer) => (read += chunk.toString("latin1")));
    await closed(socket);

    return read;
  };
  const plain = (proxy: EgressProxy, url: string, more = ""): string =>
    `GET ${url} HTTP/1.1\r\nHost: elsewhere.example.org\r\nProxy-Authorization: ${authorization(proxy)}\r\n${more}\r\n`;

  it("forwards a plain request to the checked host without proxy headers", async () => {
    const proxy = await open();
    const socket = dial(proxy);
    socket.write(plain(proxy, `http://api.example.org:${port}/plain`, "X-Kept: yes\r\n"));
    const answer = await readAll(socket);
    expect(answer).toContain("HTTP/1.1 200 OK");
    expect(answer).toContain('"x-kept":"yes"');
    expect(answer).not.toContain("proxy-authorization");
    expect(asked).toContain(`GET api.example.org:${port}/plain`);
  });

  it.each([
    ["without a credential", (_proxy: EgressProxy) => `GET http://api.example.org:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`, 407],
    ["to its own address", (proxy: EgressProxy) => plain(proxy, "/"), 400],
    ["to another host", (proxy: EgressProxy) => plain(proxy, `http://other.example.org:${port}/`), 403],
    ["to an opened host that was not offered", (proxy: EgressProxy) => plain(proxy, `http://opened.example.org:${port}/`), 403],
    ["to a named host at a private address", (proxy: EgressProxy) => plain(proxy, `http://inner.example.org:${port}/`), 403],
    ["to a named host on another port", (proxy: EgressProxy) => plain(proxy, "http://api.example.org/"), 403],
  ] as const)("refuses a request %s", async (_what, request, status) => {
    const proxy = await open();
    const before = asked.length;
    const socket = dial(proxy);
    socket.write(request(proxy));
    expect(await readAll(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(asked).toHaveLength(before);
  });

  it("ends a connection with a slow request head", async () => {
    const proxy = await open({ headTimeoutMs: 200 });
    const socket = dial(proxy);
    socket.write(`CONNECT api.example.org:${port} HTTP/1.1\r\n`);
    const drip = setInterval(() => socket.write("x"), 50);
    onTestFinished(() => clearInterval(drip));
    expect(await readAll(socket)).not.toContain("200");
  });

  it("ends an idle tunnel and one over its byte limit", async () => {
    const proxy = await open({ idleTimeoutMs: 300, burst: { messages: 1_000, bytes: 1_000_000 } });
    const connect = `CONNECT api.example.org:${port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${authorization(proxy)}\r\n\r\n`;
    const quiet = dial(proxy);
    quiet.write(connect);
    expect(await readAll(quiet)).toContain("200 Connection Established");
    const flooded = dial(proxy);
    flooded.write(`${connect}GET /endless HTTP/1.1\r\nHost: x\r\n\r\n`);
    const got = (await readAll(flooded)).length;
    expect(got).toBeGreaterThan(500_000);
    expect(got).toBeLessThan(2_000_000);
  });

  it("limits parallel connections and connections per ten seconds", async () => {
    const proxy = await open({ connections: 4 });
    const dialled = Array.from({ length: 8 }, () => dial(proxy));
    await Promise.all(dialled.slice(4).map((socket) => closed(socket)));
    expect(dialled.filter((socket) => socket.closed)).toHaveLength(4);
    const hasty = await open({ burst: { messages: 4, bytes: 1_000_000 } });
    for (let index = 0; index < 4; index += 1) {
      const socket = dial(hasty);
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      expect(await readAll(socket)).toContain("407");
    }
    expect(await readAll(dial(hasty))).toBe("");
  });

  it("ends with every connection of it", async () => {
    const proxy = await open();
    const socket = dial(proxy);
    socket.write(`CONNECT api.example.org:${port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${authorization(proxy)}\r\n\r\n`);
    await once(socket, "data");
    const ended = closed(socket);
    await proxy.close();
    await ended;
    await expect(once(net.connect(proxy.port, "127.0.0.1"), "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
