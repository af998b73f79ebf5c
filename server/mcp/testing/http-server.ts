import http from "node:http";
import { z } from "zod";
import { listenUntilEnd } from "./modern-server";

const requestSchema = z.object({ id: z.union([z.string(), z.number()]).optional(), method: z.string() });

const RESULTS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "legacy", version: "1.0.0" } },
  "tools/list": { tools: [{ name: "echo", description: "Repeats.", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "hello" }] },
};

type Answer = (body: string, response: http.ServerResponse) => void;

/** @returns its origin */
export const listen = (answer: Answer): Promise<string> =>
  listenUntilEnd(
    http.createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8");
      request.on("data", (chunk: string) => (body += chunk));
      request.on("end", () => answer(body, response));
    }),
  );

/** Breaks on the version probe. @param methods collects methods */
export const oldServer =
  (methods: string[]): Answer =>
  (body, response) => {
    if (body === "") return response.writeHead(405).end();
    const { id, method } = requestSchema.parse(JSON.parse(body));
    methods.push(method);
    if (id === undefined) return response.writeHead(202).end();
    const result = RESULTS[method];
    if (!result) return response.writeHead(500).end("broken");

    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  };
