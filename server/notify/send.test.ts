import http from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createEgress } from "@/server/security/egress";
import { sendBy } from "./send";

test("an answer without end is read up to 64 KiB, and its connection ends", async () => {
  const server = http.createServer((_request, response) => {
    const feed = () => {
      while (response.write("x".repeat(16_384)));
    };
    response.on("drain", feed);
    feed();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const closed = new Promise((resolve) => {
    server.once("connection", (socket) => socket.on("error", () => undefined).once("close", resolve));
  });
  const send = sendBy(createEgress({ policy: { allowOrigins: [origin] } }));
  const attempt = await send("w", { url: origin, payload: "{}", headers: {}, readsAnswer: true, timeoutMs: 20_000 });
  expect(attempt).toEqual({ ok: true, code: 200, answer: "x".repeat(65_536) });
  await closed;
  server.close();
});
