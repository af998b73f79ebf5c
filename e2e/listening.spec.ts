import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { test } from "./listening.ts";

test("retries a request whose connection the server has just closed, from any context", async ({ page, browser }) => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests % 2 === 1) request.socket.resetAndDestroy();
    else response.end("answered");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const other = await browser.newContext();
    expect(await (await page.request.post(url, { data: {} })).text()).toBe("answered");
    expect(await (await other.request.get(url)).text()).toBe("answered");
    expect(requests).toBe(4);
    await other.close();
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
