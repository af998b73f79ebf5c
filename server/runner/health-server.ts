import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP, type AddressInfo } from "node:net";
import ipaddr from "ipaddr.js";
import { isLoopbackHost } from "@/server/auth/loopback";
import type { Clock } from "@/server/clock";
import { log } from "@/server/log";
import { measureProcess, collectRunnerMetrics } from "@/server/metrics";
import { cacheFor, soon, type Readiness } from "@/server/runner/readiness";
import { showsToken } from "@/server/security/bearer";
import { readBacklog } from "@/server/store/approvals/backlog";

export type HealthServer = {
  readonly port: number;
  readonly close: () => Promise<void>;
};

export type HealthSettings = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Without one, only this machine may read metrics. */
  readonly token: string | undefined;
};

const ASKED_WITHIN_MS = 5_000;
const MOST_CONNECTIONS = 50;
const MOST_HEADER_BYTES = 8_192;
const BACKLOG_MS = 5_000;

type Answer = { readonly status: number; readonly type: string; readonly text: string };

const words = (status: number, text: string): Answer => ({ status, type: "text/plain; charset=utf-8", text: `${text}\n` });

const isLoopback = (host: string): boolean => (isIP(host) === 0 ? host === "localhost" : ipaddr.process(host).range() === "loopback");

/** DNS rebinding sends the attacker's Host name. */
const mayRead = ({ headers }: IncomingMessage, token: string | undefined): boolean =>
  token === undefined ? isLoopbackHost(headers.host) : showsToken(headers.authorization, token);

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

const listening = (server: Server, { host, port }: HealthSettings): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });

/**
 * Serves `GET /health`, `/ready` (503 with a reason) and `/metrics` (Prometheus text). @throws when metrics would be open to other machines
 */
export const startHealthServer = async (settings: HealthSettings, clock: Clock, readiness: Readiness): Promise<HealthServer> => {
  const { host, token } = settings;
  if (token === undefined && !isLoopback(host)) {
    throw new Error("COUNTERSIGN_RUNNER_HOST is not this machine alone, so COUNTERSIGN_METRICS_TOKEN has to be set");
  }
  const backlog = cacheFor(clock, BACKLOG_MS, () =>
    readBacklog().catch((error: unknown) => {
      log().warn({ error: String(error) }, "what waits in the database is not known");
      throw error;
    }),
  );
  measureProcess();

  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || hasBody(request)) return words(isRead ? 400 : 405, "nothing is taken in here");
    const path = request.url?.split("?", 1)[0] ?? "";
    switch (path) {
      case "/health":
        return words(200, "ok");
      case "/ready": {
        const reason = await readiness.reason();

        return reason === null ? words(200, "ok") : words(503, reason);
      }
      case "/metrics": {
        if (!mayRead(request, token)) return words(401, "no");
        const { contentType, text } = await collectRunnerMetrics(await soon(backlog()));

        return { status: 200, type: contentType, text };
      }
      default:
        return words(404, "not found");
    }
  };
  const send = (request: IncomingMessage, response: ServerResponse, { status, type, text }: Answer): void => {
    const headers = { "content-type": type, "cache-control": "no-store", "x-content-type-options": "nosniff" };
    response.writeHead(status, {
      ...headers,
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
      // A request body is not read.
      ...(hasBody(request) ? { connection: "close" } : {}),
    });
    response.end(request.method === "HEAD" ? undefined : text);
  };
  const limits = {
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout: ASKED_WITHIN_MS,
    requestTimeout: ASKED_WITHIN_MS,
    keepAliveTimeout: ASKED_WITHIN_MS,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(limits, (request, response) => {
    answerTo(request)
      .catch((error: unknown) => {
        log().warn({ error: String(error) }, "a question about this runner was not answered");

        return words(500, "failed");
      })
      .then((answer) => send(request, response, answer))
      .catch(() => response.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  await listening(server, settings);

  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
