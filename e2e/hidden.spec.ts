import fs from "node:fs";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { e2eHome } from "./home.ts";
import { signInAs, type DemoRole } from "./people.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";

const SECRET = `canary-secret-${randomUUID()}`;
const PERSONAL = `canary-personal-${randomUUID()}`;
/** In no cell: a refused proposal held it. */
const REFUSED = `canary-refused-${randomUUID()}`;
/** Per test run. */
const NAME = `hidden-${randomUUID().slice(0, 8)}`;
const ALL = [SECRET, PERSONAL, REFUSED];

/** Reviewers see personal data. */
const HIDDEN_FROM = {
  viewer: ALL,
  builder: ALL,
  admin: ALL,
  reviewer: [SECRET, REFUSED],
} as const satisfies Record<DemoRole, readonly string[]>;

const GRAPH: GraphInput = {
  format: "countersign/graph/v1",
  id: NAME,
  name: NAME,
  inputs: {
    type: "object",
    required: ["secret_note", "person"],
    properties: { secret_note: { type: "string", maxLength: 200 }, person: { type: "object" } },
    additionalProperties: false,
  },
  memory: [
    { key: "secret_note", schema: {}, classification: "secret" },
    { key: "person", schema: {}, classification: "pii" },
  ],
  nodes: [
    {
      id: "ask",
      kind: "approval",
      title: "Look at both",
      config: { prompt: "May this go on?", review_keys: ["secret_note", "person"] },
    },
  ],
  edges: [],
  start_node: "ask",
  end_nodes: ["ask"],
};

const spellings = (canary: string): string[] => [
  canary,
  Buffer.from(canary).toString("base64").slice(3, -4),
  Buffer.from(canary).toString("hex"),
  canary.split("").toReversed().join(""),
];

const heldIn = (text: string, canaries: readonly string[]): string[] =>
  canaries.filter((canary) => spellings(canary).some((spelling) => text.includes(spelling)));

/** Includes stream messages. */
const listenTo = async (page: Page) => {
  const bodies: Promise<readonly [string, string]>[] = [];
  const messages: string[] = [];
  // Requests of left pages never finish: the page keeps their data.
  page.on("requestfinished", (request) => {
    // Build output is the same for everyone.
    if (request.url().includes("/_next/static/")) return;
    bodies.push(
      request
        .response()
        .then((response) => response?.text() ?? "")
        .then(
          (text) => [request.url(), text] as const,
          () => [request.url(), ""] as const,
        ),
    );
  });
  await page.exposeFunction("keepMessage", (url: string, text: string) => {
    messages.push(text);
    bodies.push(Promise.resolve([`${url} (stream)`, text] as const));
  });
  await page.addInitScript(() => {
    const Original = globalThis.EventSource;
    globalThis.EventSource = class extends Original {
      constructor(url: string | URL, options?: EventSourceInit) {
        super(url, options);
        const keep: unknown = Reflect.get(globalThis, "keepMessage");
        this.addEventListener("message", ({ data }) => {
          if (typeof keep === "function") Reflect.apply(keep, null, [String(url), String(data)]);
        });
      }
    };
  });

  const collected = async (): Promise<Map<string, string>> => {
    const seen = new Map<string, string>();
    for (const [url, text] of await Promise.all(bodies)) seen.set(url, (seen.get(url) ?? "") + text);

    return seen;
  };

  return { collected, messages };
};

/** server/trpc/hidden.db.test.ts covers the rest. */
const ABOUT_RUNS = /^\/(?:$|runs|approvals|ledger|audit)/u;

const visit = async (page: Page, run: string, approval: string, messages: readonly string[]): Promise<void> => {
  await page.goto("/");
  const navigation = page.getByRole("navigation", { name: "Main" });
  await expect(navigation).toBeVisible();
  const places = await navigation.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? "/"));
  for (const place of new Set([...places.filter((each) => ABOUT_RUNS.test(each)), `/runs/${run}?t=1`, `/approvals/${approval}`])) {
    await page.goto(place);
    await expect(page.getByRole("main")).toBeVisible();
    await page.waitForLoadState("load");
  }
  await page.goto(`/runs/${run}`);
  await expect.poll(() => messages.some((text) => text.includes(run))).toBe(true);
  // Client navigation fetches only the payload.
  await navigation.getByRole("link", { name: /^Approvals/ }).click();
  await page.waitForURL("**/approvals");
  await page
    .getByRole("link", { name: /May this go on/ })
    .first()
    .click();
  await page.waitForURL("**/approvals/*");
  await expect(page.getByText("hidden from your role").first()).toBeVisible();
};

test.describe.configure({ timeout: 480_000 });

test("hidden values appear in no page, payload, answer, stream, error or log unless revealed", async ({ browser, page }) => {
  await signInAs(page, "second builder");
  const { hash } = await publish(page, GRAPH, NAME);
  const inputs = { secret_note: SECRET, person: { name: PERSONAL } };
  const run = await startVersion(page, hash, inputs);
  const { origin } = new URL(page.url());
  const refused = await page.request.post("/api/trpc/runs.start", {
    headers: { "content-type": "application/json", origin },
    data: { graphHash: hash, goal: "See the shown values", model: "scripted:honest", inputs: { ...inputs, more: REFUSED } },
  });
  expect(refused.ok()).toBe(false);
  expect(heldIn(await refused.text(), ALL)).toEqual([]);
  await page.goto(`/runs/${run}`);
  await page.getByRole("link", { name: /^Waiting for a/ }).click();
  await page.waitForURL("**/approvals/*");
  const approval = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  for (const role of ["viewer", "builder", "admin", "reviewer"] as const) {
    await test.step(`for a ${role}`, async () => {
      const context = await browser.newContext();
      const looking = await context.newPage();
      await signInAs(looking, role);
      const { collected, messages } = await listenTo(looking);
      await visit(looking, run, approval, messages);
      const seen = await collected();
      const found = [...seen].flatMap(([url, text]) => heldIn(text, HIDDEN_FROM[role]).map((canary) => `${canary} in ${url}`));

      expect(found).toEqual([]);
      // Guards against vacuous success.
      expect([...seen].some(([url, text]) => url.endsWith(`/approvals/${approval}`) && text.includes("</html>"))).toBe(true);
      expect([...seen].some(([url, text]) => url.includes("/api/trpc/") && text.includes(approval))).toBe(true);
      expect([...seen].some(([url, text]) => url.endsWith("(stream)") && text.includes(run))).toBe(true);
      if (role === "reviewer") expect([...seen.values()].some((text) => text.includes(PERSONAL))).toBe(true);
      await context.close();
    });
  }

  await test.step("in the logs of both processes", () => {
    const folder = path.join(e2eHome(), "log");
    const logs = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), "utf8"));

    expect(logs.length).toBeGreaterThanOrEqual(2);
    expect(heldIn(logs.join("\n"), ALL)).toEqual([]);
  });
});
