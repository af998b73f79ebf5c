import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export type Spoil = (
  nth: number,
) => "lose request" | "lose answer" | "cut" | "end" | { readonly status: number; readonly headers: Record<string, string> } | null;

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);

  return Buffer.concat(parts);
};

export const withProxy = async (
  origin: string,
  spoil: Spoil,
  use: (url: string, keys: (string | undefined)[]) => Promise<void>,
): Promise<void> => {
  const keys: (string | undefined)[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const how = spoil(keys.length);
    keys.push(request.headers["idempotency-key"]?.toString());
    const body = await readBody(request);
    if (how === "lose request") {
      request.socket.destroy();

      return;
    }
    if (typeof how === "object" && how !== null) {
      response.writeHead(how.status, how.headers).end();

      return;
    }
    const { authorization = "", "content-type": type = "application/json", "idempotency-key": key } = request.headers;
    const answered = await fetch(`${origin}${request.url}`, {
      method: request.method ?? "GET",
      headers: { authorization, "content-type": type, ...(key === undefined ? {} : { "idempotency-key": String(key) }) },
      ...(body.length === 0 ? {} : { body: body.toString() }),
    });
    if (how === "lose answer") {
      await answered.arrayBuffer();
      request.socket.destroy();

      return;
    }
    response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "" });
    for await (const chunk of answered.body as unknown as AsyncIterable<Uint8Array>) {
      response.write(chunk);
      if (how === "cut") request.socket.destroy();
      if (how === "end") break;
    }
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  try {
    await use(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`, keys);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};
