import http from "node:http";
import { afterAll } from "vitest";
import { z } from "zod";

const requestSchema = z.object({ id: z.union([z.string(), z.number()]).optional(), method: z.string() });

export type Told = { readonly path: string; readonly headers: http.IncomingHttpHeaders; readonly body: string };

type Answer = (told: Told, response: http.ServerResponse) => void;

/** @returns its origin and everything received */
export const listening = async (answer: Answer): Promise<{ readonly origin: string; readonly told: Told[] }> => {
  const told: Told[] = [];
  const server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, body };
      told.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();

  return { origin: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`, told };
};

const json = (response: http.ServerResponse, status: number, value: object): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
};

/** Encodings that return a secret. */
const spelled = (text: string): string[] => [
  text,
  Buffer.from(text).toString("base64"),
  Buffer.from(text).toString("base64url"),
  Buffer.from(text).toString("hex"),
  encodeURIComponent(text),
  text.split("").toReversed().join(""),
  JSON.stringify(text),
];

/** Repeats its headers in every encoding. @param mayCome authenticates */
export const repeatingServer =
  (mayCome: (headers: http.IncomingHttpHeaders) => boolean): Answer =>
  ({ headers, body }, response) => {
    if (!mayCome(headers)) return json(response, 401, { error: `not with ${headers.authorization ?? "nothing"}` });
    if (body === "") return void response.writeHead(405).end();
    const { id, method } = requestSchema.parse(JSON.parse(body));
    if (id === undefined) return void response.writeHead(202).end();
    const said = Object.values(headers).flatMap((value) => spelled(String(value)));
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: `repeating ${headers.authorization ?? ""}`, version: "1.0.0" },
      },
      "tools/list": {
        tools: [{ name: "repeat", description: `Repeats ${headers.authorization ?? ""}`, inputSchema: { type: "object" } }],
      },
      "tools/call": { content: said.map((text) => ({ type: "text", text })) },
    };
    const result = results[method];

    return result ? json(response, 200, { jsonrpc: "2.0", id, result }) : json(response, 500, {});
  };

/** Issues unique tokens living `lifeSeconds`. */
export const tokenServer =
  (tokens: string[], lifeSeconds: () => number): Answer =>
  ({ path, headers }, response) => {
    if (path.startsWith("/.well-known/")) {
      const origin = `http://${headers.host ?? ""}`;

      return json(response, 200, { issuer: origin, token_endpoint: `${origin}/token` });
    }
    const token = `token-${tokens.length}-${"abcdefgh".repeat(3)}`;
    tokens.push(token);

    return json(response, 200, { access_token: token, token_type: "Bearer", expires_in: lifeSeconds() });
  };
