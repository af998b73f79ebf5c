import http from "node:http";
import { once } from "node:events";
import { Webhook } from "standardwebhooks";

export type Received = { readonly path: string; readonly headers: http.IncomingHttpHeaders; readonly body: string };

type Answer = (response: http.ServerResponse, received: Received) => void;

export const answer =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers).end();
  };

export type Receiver = {
  readonly origin: string;
  readonly url: string;
  readonly received: readonly Received[];
  readonly answerWith: (next: Answer) => void;
  readonly close: () => Promise<void>;
};

export const openReceiver = async (port = 0): Promise<Receiver> => {
  const received: Received[] = [];
  let next: Answer = answer(204);
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString("utf8") };
      received.push(one);
      next(response, one);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const origin = typeof address === "object" && address ? `http://127.0.0.1:${address.port}` : "";

  return {
    origin,
    url: `${origin}/hook`,
    received,
    answerWith: (answerNext) => {
      next = answerNext;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

/** Verifies as a standard receiver. @throws for a wrong signature */
export const checkVerification = (secret: string, { body, headers }: Received): unknown => {
  const text = (name: string): string => String(headers[name]);

  return new Webhook(secret).verify(body, {
    "webhook-id": text("webhook-id"),
    "webhook-timestamp": text("webhook-timestamp"),
    "webhook-signature": text("webhook-signature"),
  });
};
