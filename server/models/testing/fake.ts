import http from "node:http";
import { z } from "zod";

const bodySchema = z.looseObject({});

export type Sent = { readonly url: string; readonly headers: http.IncomingHttpHeaders; readonly body: z.infer<typeof bodySchema> };

export type Answer =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | { readonly hang: true }
  /** Closes the connection with a reset. */
  | { readonly reset: true }
  /** Sends the beginning of an answer, then nothing or a reset. */
  | { readonly begin: string; readonly ends: "hang" | "reset"; readonly headers?: Record<string, string> };

export type Fake = { readonly url: string; readonly sent: Sent[]; close(): Promise<void> };

const bodyOf = async (request: http.IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);

  return Buffer.concat(chunks).toString("utf8");
};

export const startFake = async (answer: (sent: Sent, nth: number) => Answer): Promise<Fake> => {
  const sent: Sent[] = [];
  const respond = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const got = { url: request.url ?? "", headers: request.headers, body: bodySchema.parse(JSON.parse(await bodyOf(request))) };
    sent.push(got);
    const reply = answer(got, sent.length - 1);
    if ("hang" in reply) return;
    if ("reset" in reply) {
      request.socket.resetAndDestroy();

      return;
    }
    if ("begin" in reply) {
      response.writeHead(200, { "content-type": "application/json", ...reply.headers });
      // Once the client has the beginning.
      response.write(reply.begin, () => (reply.ends === "reset" ? setImmediate(() => request.socket.resetAndDestroy()) : undefined));

      return;
    }
    response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  };
  const server = http.createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the fake does not listen on a port");

  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
