import http from "node:http";
import os from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import type { CallProgress } from "@/lib/mcp/progress";
import { systemClock } from "@/server/clock";
import { isLocalAddress } from "@/server/security/address";
import type { Resolve } from "@/server/security/egress-connect";
import type { EgressPolicy } from "@/server/security/egress-url";
import type { Era } from "./connector";
import type { LocalConnection } from "./connection";
import { openLocally } from "./local-connector";
import { listen } from "./testing/http-server";
import { startSdkHttp } from "./testing/sdk-http";

const open: LocalConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

type Way = { readonly policy?: EgressPolicy; readonly resolve?: Resolve; readonly era?: Era };

const connect = async (url: string, { policy, resolve, era = "auto" }: Way = {}): Promise<LocalConnection> => {
  const egress = policy ?? { allowOrigins: [new URL(url).origin] };
  const opening = { workspace: "w", server: "s", transport: { type: "http", url }, access: { headers: {}, auth: null }, era } as const;
  const connection = await openLocally(
    { ...opening, secrets: {}, environment: {} },
    {
      installation: { home: "/nonexistent", root: "/nonexistent" },
      scratch: "/nonexistent",
      egress,
      clock: systemClock,
      isolation: async () => {
        throw new Error("no process is started");
      },
      sandboxLevel: "off",
      ...(resolve ? { resolve } : {}),
    },
  );
  open.push(connection);

  return connection;
};

const patience = (): AbortSignal => AbortSignal.timeout(20_000);

const echo = (connection: LocalConnection, text: string) => connection.call({ tool: "echo", arguments: { text }, meta: {} }, patience());

/** Loopback of both families and every private address of this machine. */
const ADDRESSES = [
  ...new Set(["127.0.0.1", "::1", ...Object.values(os.networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))]),
].filter(isLocalAddress);

describe.each(ADDRESSES)("an origin at %s that the operator opened", (host) => {
  it.each(["http", "sse"] as const)("is reached over %s", async (way) => {
    const server = await startSdkHttp({ way, host });
    const connection = await connect(`${server.origin}/${way === "sse" ? "sse" : "mcp"}`);
    expect([...(await connection.catalog({ fresh: true })).keys()]).toEqual(["echo", "wait"]);
    expect(await echo(connection, "hello")).toMatchObject({ status: "ok", result: { text: "hello" } });
    expect(connection.era === "sse").toBe(way === "sse");
  });

  it("is not contacted unless it is opened", async () => {
    const server = await startSdkHttp({ way: "http", host });
    await expect(connect(`${server.origin}/mcp`, { policy: { allowOrigins: [] } })).rejects.toMatchObject({ code: "egress_blocked" });
    expect(server.requests).toEqual([]);
  });
});

describe("the legacy SSE transport", () => {
  it("passes progress on and tells the server of a cancelled call", async () => {
    const server = await startSdkHttp({ way: "sse" });
    const connection = await connect(`${server.origin}/sse`);
    const stop = new AbortController();
    const said: CallProgress[] = [];
    const onProgress = (progress: CallProgress): void => {
      said.push(progress);
      stop.abort(new Error("caller gone"));
    };
    await expect(connection.call({ tool: "wait", arguments: {}, meta: {}, onProgress }, stop.signal)).rejects.toThrow("caller gone");
    expect(said).toMatchObject([{ progress: 1, total: 2, message: "half" }]);
    await expect.poll(() => server.seen.cancelled).toBe(1);
  });

  it("is not probed again when it is known", async () => {
    const server = await startSdkHttp({ way: "sse" });
    const { era } = await connect(`${server.origin}/sse`);
    expect(era).toBe("sse");
    server.requests.length = 0;
    await connect(`${server.origin}/sse`, { era });
    expect(server.requests[0]).toBe("GET /sse");
  });

  it("ends with its stream, because another stream would be another session", async () => {
    const server = await startSdkHttp({ way: "sse" });
    const connection = await connect(`${server.origin}/sse`);
    server.requests.length = 0;
    server.endStreams();
    await expect.poll(() => connection.isOpen(), { timeout: 10_000 }).toBe(false);
    expect(await echo(connection, "late")).toMatchObject({ status: "tool_error", fault: "connection_lost" });
    expect(server.requests).not.toContain("GET /sse");
    expect(server.seen.calls).toEqual([]);
  });

  it("posts to its own origin only", async () => {
    const other = await startSdkHttp({ way: "http" });
    const lying = http.createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: ${other.origin}/mcp\n\n`);
    });
    await new Promise<void>((resolve) => lying.listen(0, "127.0.0.1", resolve));
    const address = lying.address();
    const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    const policy = { allowOrigins: [origin, other.origin] };
    await expect(connect(`${origin}/sse`, { policy, era: "sse" })).rejects.toMatchObject({ code: "server_unreachable" });
    expect(other.requests).toEqual([]);
    lying.closeAllConnections();
    lying.close();
  });

  it("is not tried where the server asks for credentials", async () => {
    const methods: string[] = [];
    const origin = await listen((body, response) => {
      methods.push(body === "" ? "GET" : "POST");
      response.writeHead(401).end();
    });
    await expect(connect(`${origin}/mcp`)).rejects.toMatchObject({
      code: "server_unreachable",
      message: "The server did not answer as an MCP server: HTTP 401.",
    });
    expect(methods).not.toContain("GET");
  });
});

describe("a server's name", () => {
  it.each(["http", "sse"] as const)("stays at its first address over %s while it is rebound", async (way) => {
    const server = await startSdkHttp({ way, name: "reviewed" });
    const hostile = await startSdkHttp({ way, name: "hostile", host: "127.0.0.9", port: server.port });
    let asked = 0;
    const rebinding: Resolve = async () => [{ address: (asked += 1) === 1 ? "127.0.0.1" : "127.0.0.9", family: 4 }];
    const url = `http://tools.internal:${server.port}/${way === "sse" ? "sse" : "mcp"}`;
    const connection = await connect(url, { resolve: rebinding, era: way === "sse" ? "sse" : "legacy" });
    for (const text of ["one", "two", "three"]) expect(await echo(connection, text)).toMatchObject({ status: "ok" });
    expect([asked, server.seen.calls, hostile.requests]).toEqual([1, ["one", "two", "three"], []]);

    // Only a new connection, whose identity and tools are compared, follows the name.
    expect((await connect(url, { resolve: rebinding, era: way === "sse" ? "sse" : "legacy" })).identity?.name).toBe("hostile");
  });

  it.each([
    "169.254.169.254",
    "169.254.10.10",
    "fe80::1",
    "fd00:ec2::254",
    "100.100.100.200",
    "::ffff:169.254.169.254",
    "::ffff:100.100.100.200",
    "64:ff9b::a9fe:a9fe",
    "0.0.0.0",
  ])("that resolves to %s is never contacted, although it is opened", async (address) => {
    const resolve: Resolve = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
    await expect(connect("http://tools.internal:8080/mcp", { resolve })).rejects.toMatchObject({ code: "egress_blocked" });
  });

  it("that is rebound to the metadata address before a second connection is not contacted", async () => {
    const server = await startSdkHttp({ way: "http" });
    let asked = 0;
    const rebinding: Resolve = async () => [{ address: (asked += 1) === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 }];
    const url = `http://tools.internal:${server.port}/mcp`;
    await connect(url, { resolve: rebinding, era: "legacy" });
    await expect(connect(url, { resolve: rebinding })).rejects.toMatchObject({ code: "egress_blocked" });
  });
});

describe("an address", () => {
  it.each([
    "http://169.254.169.254/mcp",
    "http://2852039166/mcp",
    "http://0xa9fea9fe/mcp",
    "http://0251.0376.0251.0376/mcp",
    "http://169.254.43518/mcp",
    "http://[::ffff:169.254.169.254]/mcp",
    "http://[::ffff:a9fe:a9fe]/mcp",
    "http://[fe80::1]/mcp",
    "http://[fd00:ec2::254]/mcp",
    "http://[fd00:0ec2:0:0:0:0:0:0254]/mcp",
    "http://100.100.100.200/mcp",
    "http://1684301000/mcp",
    "http://[64:ff9b::169.254.169.254]/mcp",
  ])("%s is never contacted, although its origin is opened", async (url) => {
    await expect(connect(url)).rejects.toMatchObject({ code: "egress_blocked" });
  });

  it.each([302, 307])("that answers %i to another address is not followed, not even to an opened one", async (status) => {
    const target = await startSdkHttp({ way: "http" });
    const origin = await listen((_body, response) => response.writeHead(status, { location: `${target.origin}/mcp` }).end());
    const policy = { allowOrigins: [origin, target.origin] };
    await expect(connect(`${origin}/mcp`, { policy })).rejects.toMatchObject({
      code: "server_unreachable",
      message: `The server redirects to another address (HTTP ${status}). Enter that address.`,
    });
    expect(target.requests).toEqual([]);
  });
});
