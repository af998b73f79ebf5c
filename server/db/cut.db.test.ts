import net from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getDatabase, useDatabase } from "@/server/db/client";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");

/** Postgres' wire message. */
const TERMINATED = (() => {
  const fields = Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeUInt32BE(fields.length + 4, 1);

  return Buffer.concat([head, fields]);
})();
const READY = Buffer.from("Z\0\0\0\u0005I");

let cuts = 0;
/** Cuts connections as they become ready. */
const between = net.createServer((client) => {
  const { hostname, port } = new URL(urls.runner);
  const server = net.connect(Number(port), hostname);
  client.pipe(server);
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
  server.on("data", (chunk: Buffer) => {
    const isCut = cuts > 0 && chunk.subarray(-READY.length).equals(READY);
    if (isCut) cuts -= 1;
    if (isCut) client.end(Buffer.concat([chunk, TERMINATED]));
    else client.write(chunk);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  const address = between.address();
  const url = new URL(urls.runner);
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" && address ? address.port : 0);
  await useDatabase(url.toString());
});
afterAll(async () => {
  await useDatabase(urls.runner);
  between.close();
});

test("a connection cut while it is handed to a transaction does not crash the process", async () => {
  cuts = 1;
  const count = () => getDatabase().$transaction(async (tx) => tx.keyHint.count());
  await expect(count()).rejects.toThrow(/connection|terminat|closed/iu);
  expect(cuts).toBe(0);
  expect(await count()).toBe(0);
});
