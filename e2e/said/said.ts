/** `npm run bench:said`: time from a provider's chunk to its text on the run page. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { streamChat } from "../../server/models/testing/sse.ts";
import { DEMO_GRAPH_ID } from "../../server/seed/workflows.ts";
import { signInAs } from "../people.ts";
import { test } from "../test.ts";
import { mutate, query } from "../wire.ts";

const CHUNKS = 60;
const EVERY_MS = 300;
/** Until then the page loads. */
const UNCOUNTED = 15;

const serveChunks = async (sentAtMs: number[]): Promise<http.Server> => {
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => {
      if (sentAtMs.length >= CHUNKS) return;
      response.write(streamChat([`w${sentAtMs.length};`], null));
      sentAtMs.push(Date.now());
    }, EVERY_MS);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

  return server;
};

const addModel = async (page: Page, port: number): Promise<void> => {
  await signInAs(page, "admin");
  await page.goto("/admin/models");
  await page.getByRole("button", { name: "Add provider…" }).press("Enter");
  const form = page.getByRole("dialog", { name: "Add a provider" });
  await form.getByLabel("Name").fill("Beside us");
  await form.getByLabel("Base URL").fill(`http://127.0.0.1:${port}/v1`);
  await form.getByLabel("Key").fill("sk-canary-typed-into-a-form");
  await form.getByRole("checkbox", { name: /^Allow local addresses/u }).press("Space");
  await form.getByRole("button", { name: "Add provider" }).press("Enter");
  const row = page.getByRole("table", { name: "Model providers" }).getByRole("row", { name: /Beside us/u });
  await row.getByRole("button", { name: "Add model…" }).press("Enter");
  await page.getByRole("dialog", { name: "Add a model from Beside us" }).getByLabel("Model").fill("small");
  await page.getByRole("button", { name: "Add model", exact: true }).press("Enter");
  await expect(page.getByRole("table", { name: "Models and prices" })).toContainText("beside-us:small");
};

const watchWords = (): void => {
  const seen: Record<string, number> = {};
  Reflect.set(globalThis, "seenAtMs", seen);
  const look = (): void => {
    for (const [word] of (document.body?.textContent ?? "").matchAll(/w\d+;/gu)) seen[word] ??= Date.now();
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
};

test("text of a model on the screen", async ({ page }) => {
  const sentAtMs: number[] = [];
  const server = await serveChunks(sentAtMs);
  await addModel(page, (server.address() as AddressInfo).port);
  await signInAs(page, "builder");
  const versions = await query<{ hash: string }[]>(page, "graphs.versions", { id: DEMO_GRAPH_ID });
  const { runId } = await mutate<{ runId: string }>(page, "runs.start", {
    graphHash: versions[0]?.hash,
    goal: "Handle the mail",
    inputs: { mail_file: "01-upgrade.txt" },
    model: "beside-us:small",
  });
  await page.addInitScript(watchWords);
  await page.goto(`/runs/${runId}`);
  await expect(page.getByRole("list", { name: "Models are writing" })).toContainText(`w${CHUNKS - 1};`);
  const seen = await page.evaluate(() => Reflect.get(globalThis, "seenAtMs") as Record<string, number>);
  const taken = sentAtMs
    .flatMap((at, nth) => (nth < UNCOUNTED ? [] : [(seen[`w${nth};`] ?? Number.NaN) - at]))
    .toSorted((one, other) => one - other);
  const at = (share: number): number | undefined => taken[Math.floor(taken.length * share)];
  process.stdout.write(`${JSON.stringify({ chunks: taken.length, medianMs: at(0.5), p95Ms: at(0.95), mostMs: taken.at(-1) })}\n`);
  server.closeAllConnections();
  server.close();
});
