/** A stdio server's egress: a loopback proxy with its own credential; the sandbox allows only its port. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AppError } from "@/lib/errors";
import { connectChecked, resolveWithSystem, type Resolve } from "@/server/security/egress-connect";
import { checkUrl, canBeAt, type EgressPolicy } from "@/server/security/egress-url";
import { createBurstGuard, type Burst } from "./burst-guard";

export type EgressRules = {
  /** With a port unless it is 443. */
  readonly hosts: readonly string[];
  /** Addresses besides public ones. */
  readonly policy: EgressPolicy;
  readonly resolve?: Resolve;
  readonly limits?: Partial<EgressLimits>;
};

export type EgressLimits = {
  readonly connections: number;
  /** Per ten seconds, both directions. */
  readonly burst: Burst;
  readonly connectTimeoutMs: number;
  /** Until the request's head. */
  readonly headTimeoutMs: number;
  /** In either direction. */
  readonly idleTimeoutMs: number;
};

export type EgressProxy = {
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

const LIMITS: EgressLimits = {
  connections: 64,
  burst: { messages: 1_000, bytes: 67_108_864 },
  connectTimeoutMs: 5_000,
  headTimeoutMs: 10_000,
  idleTimeoutMs: 120_000,
};

const MAX_HEAD_BYTES = 16_384;
const USER = "countersign";

/** RFC 9110, section 7.6.1, and proxy headers. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(
  "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host".split(" "),
);

type Target = { readonly scheme: "http" | "https"; readonly host: string; readonly port: number };

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const forwarded = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));

/** CONNECT's `host:port`. */
const targetOf = (authority: string): Target | null => {
  const url = /^[a-z0-9.-]+:\d{1,5}$/iu.test(authority) ? URL.parse(`https://${authority}`) : null;

  return url && { scheme: "https", host: url.hostname, port: Number(url.port || "443") };
};

const plainTargetOf = (text: string): (Target & { readonly path: string }) | null => {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" || url.username !== "" || url.password !== "") return null;

  return { scheme: "http", host: url.hostname, port: Number(url.port || "80"), path: `${url.pathname}${url.search}` };
};

/** @throws AppError("egress_blocked"), or the system's error */
const connectTo = async ({ scheme, host, port }: Target, rules: EgressRules, { connectTimeoutMs }: EgressLimits): Promise<Socket> => {
  const named = rules.hosts.some((each) => (each.includes(":") ? each : `${each}:443`) === `${host}:${port}`);
  const policy: EgressPolicy = { allowOrigins: rules.policy.allowOrigins, localOrigins: rules.policy.localOrigins ?? [] };
  const url = checkUrl(`${scheme}://${host}:${port}/`, policy);
  if (!named || !url.ok) throw new AppError("egress_blocked");
  const { origin } = url.value;

  return connectChecked(host, port, {
    mayReach: canBeAt(origin, policy),
    resolve: rules.resolve ?? resolveWithSystem,
    timeoutMs: connectTimeoutMs,
  });
};

const statusOf = (error: unknown): number => (error instanceof AppError ? 403 : 502);

const refuse = (socket: Duplex, status: number): void => {
  const more = status === 407 ? 'Proxy-Authenticate: Basic realm="countersign"\r\n' : "";
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${more}Content-Length: 0\r\nConnection: close\r\n\r\n`);
};

export const openEgressProxy = async (
  rules: EgressRules,
  at: { readonly path: string; readonly port: number } | null = null,
): Promise<EgressProxy> => {
  const limits = { ...LIMITS, ...rules.limits };
  const password = randomBytes(24).toString("hex");
  const expected = digest(`Basic ${Buffer.from(`${USER}:${password}`).toString("base64")}`);
  const isTooMuch = createBurstGuard(limits.burst);
  const sockets = new Set<Socket>();

  const isOurs = ({ headers }: IncomingMessage): boolean => timingSafeEqual(digest(headers["proxy-authorization"] ?? ""), expected);

  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.setTimeout(limits.idleTimeoutMs, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  };

  const reach = async (target: Target): Promise<Socket> => {
    const upstream = await connectTo(target, rules, limits);
    keep(upstream);

    return upstream;
  };

  const count = (...streams: readonly Duplex[]): void => {
    for (const stream of streams)
      stream.on("data", (chunk: Buffer) => {
        if (isTooMuch(0, chunk.length)) stream.destroy();
      });
  };

  const tunnel = async (request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    if (!isOurs(request)) return refuse(client, 407);
    const target = targetOf(request.url ?? "");
    if (!target) return refuse(client, 400);
    try {
      const upstream = await reach(target);
      if (client.destroyed) return void upstream.destroy();
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.write(head);
      client.pipe(upstream).pipe(client);
      count(client, upstream);
      client.once("close", () => upstream.destroy());
      upstream.once("close", () => client.destroy());
    } catch (error) {
      refuse(client, statusOf(error));
    }
  };

  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOurs(request)) return refuse(request.socket, 407);
    const target = plainTargetOf(request.url ?? "");
    if (!target) return refuse(request.socket, 400);
    try {
      const upstream = await reach(target);
      const { host, port, path } = target;
      const onward = http.request({
        method: request.method ?? "GET",
        path,
        // The checked host, not the request's.
        headers: { ...forwarded(request.headers), host: port === 80 ? host : `${host}:${port}`, connection: "close" },
        createConnection: () => upstream,
      });
      onward.once("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, { ...forwarded(answer.headers), connection: "close" });
        answer.pipe(response);
      });
      onward.once("error", () => request.socket.destroy());
      request.pipe(onward);
      count(upstream);
      request.socket.once("close", () => upstream.destroy());
    } catch (error) {
      refuse(request.socket, statusOf(error));
    }
  };

  const server = http.createServer({
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: limits.headTimeoutMs,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(1_000, limits.headTimeoutMs),
  });
  server.maxConnections = limits.connections;
  server.on("connection", (socket: Socket) => {
    if (isTooMuch(1, 0)) return void socket.destroy();

    return keep(socket);
  });
  server.on("connect", (request, socket, head) => void tunnel(request, socket, head));
  server.on("request", (request, response) => void forward(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (at) server.listen(at.path, resolve);
    else server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : (at?.port ?? 0);
  const url = `http://${USER}:${password}@127.0.0.1:${port}`;

  return {
    port,
    env: { HTTP_PROXY: url, HTTPS_PROXY: url, http_proxy: url, https_proxy: url, NODE_USE_ENV_PROXY: "1" },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
