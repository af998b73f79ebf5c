/** Real servers of SDK 1.x, over Streamable HTTP or legacy SSE. */
import http from "node:http";
import { afterAll } from "vitest";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";

type Seen = { cancelled: number; readonly calls: string[] };

const buildServer = (name: string, seen: Seen): McpServer => {
  const server = new McpServer({ name, version: "1.0.0" });
  const inputSchema = { text: z.string() };
  server.registerTool("echo", { description: "Repeats a text.", inputSchema }, ({ text }) => {
    seen.calls.push(text);

    return { content: [{ type: "text", text }], structuredContent: { text } };
  });
  server.registerTool("wait", { description: "Reports progress until it is cancelled.", inputSchema: {} }, async (_args, extra) => {
    // oxlint-disable-next-line eslint/no-underscore-dangle -- the protocol's own name
    const progressToken = extra._meta?.progressToken ?? 0;
    await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2, message: "half" } });
    await new Promise<void>((resolve) => extra.signal.addEventListener("abort", () => resolve()));
    seen.cancelled += 1;

    return { content: [] };
  });

  return server;
};

export type SdkHttp = {
  readonly origin: string;
  readonly port: number;
  readonly seen: Seen;
  /** Method and path of each request. */
  readonly requests: string[];
  /** Ends open streams; the server stays up. */
  endStreams(): void;
};

type Options = { readonly way: "http" | "sse"; readonly host?: string; readonly port?: number; readonly name?: string };

export const asTransport = (transport: unknown): Transport => {
  // `exactOptionalPropertyTypes` rejects the SDK's own transports.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return transport as Transport;
};

/** Starts a server; SSE at /sse, Streamable HTTP elsewhere. */
export const startSdkHttp = async ({ way, host = "127.0.0.1", port = 0, name = way }: Options): Promise<SdkHttp> => {
  const seen: Seen = { cancelled: 0, calls: [] };
  const requests: string[] = [];
  const sessions = new Map<string, SSEServerTransport>();
  const streams = new Set<http.ServerResponse>();

  const serveSse = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://here");
    if (request.method === "POST") {
      const session = sessions.get(url.searchParams.get("sessionId") ?? "");
      if (session) await session.handlePostMessage(request, response);
      else response.writeHead(404).end();

      return;
    }
    // oxlint-disable-next-line typescript/no-deprecated -- what is tested
    const transport = new SSEServerTransport("/messages", response);
    sessions.set(transport.sessionId, transport);
    streams.add(response);
    await buildServer(name, seen).connect(asTransport(transport));
  };
  const serveHttp = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const transport = new StreamableHTTPServerTransport({});
    await buildServer(name, seen).connect(asTransport(transport));
    await transport.handleRequest(request, response);
  };

  const server = http.createServer((request, response) => {
    requests.push(`${request.method ?? ""} ${(request.url ?? "").split("?", 1)[0] ?? ""}`);
    void (way === "sse" ? serveSse(request, response) : serveHttp(request, response)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : 0;

  return {
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    seen,
    requests,
    endStreams: () => {
      for (const stream of streams) stream.end();
      streams.clear();
    },
  };
};
