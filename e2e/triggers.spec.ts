import { createHmac, randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { status } from "./desk.ts";
import { openPanel } from "./editor.ts";
import { e2eOrigin } from "./home.ts";
import { foundOwnWorkspace, signInAsOwn } from "./own-workspace.ts";
import { signInAs } from "./people.ts";
import { letIn, offerProgram, SDK_SERVER } from "./registry.ts";
import { test } from "./test.ts";
import { importText } from "./transfer.ts";
import { mutate, query } from "./wire.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const orders = (name: string): string =>
  JSON.stringify({
    format: "countersign/graph/v1",
    id: name.toLowerCase().replaceAll(" ", "-"),
    name,
    inputs: { type: "object", properties: { order: { type: "string" } }, required: ["order"], additionalProperties: false },
    memory: [{ key: "order", schema: { type: "string" } }],
    nodes: [
      { id: "ask", title: "Ask", kind: "approval", read_keys: ["order"], config: { prompt: "Take the order?", review_keys: ["order"] } },
      { id: "done", title: "Done", kind: "router", config: {} },
    ],
    edges: [{ id: "on", source: "ask", target: "done" }],
    start_node: "ask",
    end_nodes: ["done"],
  });

const send = async (page: Page, path: string, body: string, change: { readonly signature?: string; readonly id?: string } = {}) => {
  const id = change.id ?? `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(SECRET.slice(6), "base64");
  const signature = change.signature ?? `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  const headers = { "content-type": "application/json", "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  const response = await page.request.post(`${e2eOrigin()}${path}`, { headers, data: Buffer.from(body) });

  return { code: response.status(), answer: (await response.json()) as { readonly code?: string } };
};

test("a builder adds a webhook trigger, publishes, and a signed event starts a run that waits for an approval", async ({ page }) => {
  const name = `Orders ${Date.now()}`;
  await signInAs(page, "admin");
  await mutate(page, "secrets.put", { name: "orders_hook", value: SECRET });
  await signInAs(page, "builder");
  const place = await importText(page, name, orders(name));

  await test.step("the trigger is part of the draft", async () => {
    await openPanel(page, "Graph");
    await page.getByRole("button", { name: "Add a webhook" }).click();
    const trigger = page.getByRole("group", { name: "trigger 1" });
    await trigger.getByLabel("Name").first().fill("shop");
    await trigger.getByLabel("Signing secret").fill("orders_hook");
    await trigger.getByLabel("Input order").fill("event.");
    await expect(trigger.getByLabel("Input order")).toHaveAttribute("aria-invalid", "true");
    await trigger.getByLabel("Input order").fill("event.order");
    await trigger.getByLabel("Input order").blur();
    await expectAccessible(page);
  });

  await test.step("and so is a mailbox, with the senders that count", async () => {
    await page.getByRole("button", { name: "Add a mailbox" }).click();
    const trigger = page.getByRole("group", { name: "trigger 2" });
    await trigger.getByLabel("IMAP server").fill("Mail server");
    await expect(trigger.getByLabel("IMAP server")).toHaveAttribute("aria-invalid", "true");
    await trigger.getByLabel("IMAP server").fill("127.0.0.1");
    await trigger.getByLabel("Password").fill("orders_hook");
    await trigger.getByLabel("Input order").fill("event.subject");
    await trigger.getByRole("checkbox", { name: /^Only messages/u }).click();
    await trigger.getByLabel("Domains").fill("example.com example.org");
    await trigger.getByLabel("Domains").blur();
    await expectAccessible(page);
  });

  await test.step("and of the published version", async () => {
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Publish a version" });
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await expect(page.getByText("Published as version 1")).toBeVisible();
  });

  const graphId = /[0-9a-f-]{36}/u.exec(place)?.[0] ?? "";
  const { triggers } = await query<{ triggers: readonly { path: string | null }[] }>(page, "triggers.get", { graphId });
  const path = triggers.find((trigger) => trigger.path !== null)?.path ?? "";

  await test.step("events are taken once, signed and in form", async () => {
    const body = '{"order":"A-7"}';
    expect((await send(page, path, body, { id: "msg_first" })).code).toBe(202);
    expect(await send(page, path, body, { id: "msg_first" })).toMatchObject({ code: 200, answer: { code: "trigger_duplicate" } });
    expect(await send(page, path, body, { signature: "v1,AAAA" })).toMatchObject({ code: 401, answer: { code: "trigger_signature" } });
    expect(await send(page, path, '{"order":7}')).toMatchObject({ code: 422, answer: { code: "inputs_invalid" } });
    const large = JSON.stringify({ order: "x".repeat(300_000) });
    expect(await send(page, path, large)).toMatchObject({ code: 413, answer: { code: "trigger_too_large" } });
    expect((await send(page, `${path}x`, body)).code).toBe(404);
  });

  await test.step("the page of triggers shows what became of each", async () => {
    await page.goto(`/graphs/${graphId}/triggers`);
    await expect(page.getByRole("row", { name: /^email Mailbox/u })).toContainText("The server's address is not allowed");
    const events = page.getByRole("table", { name: "Events" });
    await expect(events.getByRole("row")).toHaveCount(6);
    await expect(events.getByText("Started", { exact: true })).toHaveCount(1);
    await expect(events.getByText("Refused", { exact: true })).toHaveCount(4);
    await expectAccessible(page);
    await events.getByRole("link", { name: /^Run / }).click();
    await expect(status(page)).toContainText("Waiting");
  });

  await test.step("an event is replayed as a simulated fork", async () => {
    await page.goto(`/graphs/${graphId}/triggers`);
    await page
      .getByRole("row", { name: /Started/ })
      .getByRole("button", { name: "Replay" })
      .click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await expect(page.getByText(/Simulated/i).first()).toBeVisible();
  });
});

test("a change of an MCP resource starts a run", async ({ page }) => {
  const server = `feed_${Date.now()}`;
  const name = `Feed ${server}`;
  await foundOwnWorkspace(page);
  await offerProgram(page, server, SDK_SERVER);
  await letIn(page, { id: server, name: server, program: server, reading: [], callers: ["node"] });
  await signInAsOwn(page, "builder");
  const place = await importText(page, name, orders(name));

  await test.step("the trigger names a server and a resource", async () => {
    await openPanel(page, "Graph");
    await page.getByRole("button", { name: "Add an MCP resource" }).click();
    const trigger = page.getByRole("group", { name: "trigger 1" });
    await trigger.getByLabel("MCP server").fill(server);
    await trigger.getByLabel("Resource URI").fill("orders://{id}");
    await expect(trigger.getByLabel("Resource URI")).toHaveAttribute("aria-invalid", "true");
    await trigger.getByLabel("Resource URI").fill("orders://latest");
    await trigger.getByLabel("Read every (seconds)").fill("600");
    await trigger.getByLabel("Input order").fill("event.text");
    await trigger.getByLabel("Input order").blur();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Publish a version" });
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await expect(page.getByText("Published as version 1")).toBeVisible();
  });

  const graphId = /[0-9a-f-]{36}/u.exec(place)?.[0] ?? "";

  await test.step("its announced change is read at once, and starts a run", async () => {
    await page.goto(`/graphs/${graphId}/triggers`);
    await expect(page.getByRole("row", { name: /^mcp_resource MCP resource/u })).toContainText("Subscribed, read");
    const events = page.getByRole("table", { name: "Events" });
    await expect(events.getByText("Started", { exact: true })).toHaveCount(1);
    await expectAccessible(page);
    await events.getByRole("link", { name: /^Run / }).click();
    await expect(status(page)).toContainText("Waiting");
    await expect(page.getByText("A-2").first()).toBeVisible();
  });
});
