import http from "node:http";
import { createMcpHandler, McpServer, type CallToolResult, type McpHttpHandler } from "@modelcontextprotocol/server";
import { afterAll } from "vitest";
import { z } from "zod";

const answer = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
});

export type Modern = {
  readonly origin: string;
  readonly seen: { readonly method: string | null; readonly session: string | null }[];
  readonly cancelled: () => number;
};

const makeServer = (onCancel: () => void): McpServer => {
  const server = new McpServer({ name: "modern", version: "1.0.0" });
  server.registerTool("echo", { description: "Repeats a text.", inputSchema: z.object({ text: z.string() }) }, ({ text }) =>
    answer({ text }),
  );
  server.registerTool(
    "work",
    { description: "Says how far it is, then answers.", inputSchema: z.object({ steps: z.number(), everyMs: z.number() }) },
    async ({ steps, everyMs }, { mcpReq }) => {
      mcpReq.signal.addEventListener("abort", onCancel);
      // oxlint-disable-next-line eslint/no-underscore-dangle -- the protocol's own name
      const token = mcpReq._meta?.progressToken;
      for (let step = 1; step <= steps && !mcpReq.signal.aborted; step += 1) {
        await new Promise((resolve) => setTimeout(resolve, everyMs));
        if (token !== undefined) {
          const params = { progressToken: token, progress: step, total: steps, message: `step ${step}` };
          await mcpReq.notify({ method: "notifications/progress", params });
        }
      }

      return answer({ steps });
    },
  );

  return server;
};

const bodyOf = async (request: http.IncomingMessage): Promise<string> => {
  let body = "";
  request.setEncoding("utf8");
  for await (const chunk of request) body += String(chunk);

  return body;
};

const pass = async (from: Response, to: http.ServerResponse): Promise<void> => {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  if (from.body) for await (const chunk of from.body) to.write(chunk);
  to.end();
};

/** Listens on loopback until the file's tests end. @returns the origin */
export const listenUntilEnd = async (server: http.Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();

  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
};

export const serveModern = async (handler: Pick<McpHttpHandler, "fetch">): Promise<Pick<Modern, "origin" | "seen">> => {
  const seen: Modern["seen"] = [];
  const server = http.createServer((request, response) => {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) if (typeof value === "string") headers.set(name, value);
    seen.push({ method: headers.get("mcp-method"), session: headers.get("mcp-session-id") });
    void bodyOf(request)
      .then((body) =>
        handler.fetch(
          new Request(`http://127.0.0.1${request.url ?? "/"}`, {
            method: request.method ?? "POST",
            headers,
            signal: gone.signal,
            ...(body === "" ? {} : { body }),
          }),
        ),
      )
      .then((answered) => pass(answered, response))
      .catch(() => response.destroy());
  });

  return { origin: await listenUntilEnd(server), seen };
};

/** Speaks stateless 2026-07-28 only. */
export const modernServer = async (): Promise<Modern> => {
  let cancelled = 0;
  const served = await serveModern(createMcpHandler(() => makeServer(() => (cancelled += 1))));

  return { ...served, cancelled: () => cancelled };
};
