import fs from "node:fs";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { explainDenial, type Membership, type Permission } from "@/lib/roles";
import { DEMO_GRAPH_ID } from "@/server/seed/workflows";
import { e2eOrigin, receiverPort } from "./home.ts";
import { inspectAt } from "./inspect.ts";
import { sendSignIn, signInAs, type Person } from "./people.ts";
import { test } from "./test.ts";
import { findDemoRuns } from "./views.ts";
import { mutate, query } from "./wire.ts";

test.describe.configure({ timeout: 480_000 });

type Place = { readonly path: string; readonly title?: RegExp; readonly shows?: RegExp; readonly needs?: Permission };

const PLACES: readonly Place[] = [
  { path: "/", title: /^(\(\d+\) )?Home · Countersign$/, shows: /First steps/ },
  { path: "/graphs", title: /Graphs · Countersign$/, shows: /Support desk under attack/ },
  { path: `/graphs/${DEMO_GRAPH_ID}`, title: /Support desk under attack · Graph · Countersign$/, shows: /Read the mail/ },
  { path: `/graphs/${DEMO_GRAPH_ID}/triggers`, title: /Triggers · Countersign$/, shows: /^No triggers/ },
  { path: "/runs", title: /Runs · Countersign$/, shows: /Support desk under attack/ },
  { path: "/runs/import" },
  { path: "/approvals", title: /Approvals · Countersign$/, shows: /Support desk under attack/ },
  { path: "/facts", title: /Facts · Countersign$/ },
  { path: "/ledger" },
  { path: "/usage", title: /Usage · Countersign$/, shows: /Runs completed/ },
  { path: "/connect", needs: "connect.read" },
  { path: "/connect/console", needs: "connect.manage" },
  { path: "/authorize", title: /Connect a client · Countersign$/, needs: "connect.manage", shows: /Nothing to allow/ },
  { path: "/audit/trust", needs: "trust.read" },
  { path: "/admin/mcp", title: /MCP servers · Countersign$/, shows: /customers/ },
  { path: "/admin/mcp/customers?tool=update_plan", title: /MCP server · Countersign$/, shows: /Our labels/ },
  { path: "/admin/mcp/rug-pull", shows: /drifted/i },
  { path: "/admin/models" },
  { path: "/admin/people", needs: "people.read" },
  { path: "/admin/environments", title: /Environments · Countersign$/ },
  { path: "/admin/rules" },
  { path: "/admin/webhooks", needs: "webhook.read" },
  { path: "/admin/checks", title: /Checks · Countersign$/, needs: "installation.read", shows: /The clock agrees/ },
  { path: "/settings" },
  { path: "/help" },
  { path: "/help/reference/openapi.json", title: /HTTP API · Countersign$/, shows: /^Start a run of a published version$/ },
];

const addPlaces = async (page: Page): Promise<readonly Place[]> => {
  const { hostile, honest, hostileRequest } = await findDemoRuns(page);
  const models = await query<{ id: string; label: string }[]>(page, "models.list", undefined);
  const model = models.find(({ label }) => label.startsWith("Scripted: honest"))?.id;
  const job = await mutate<{ id: string }>(page, "architect.draft", { description: "Publish pages after approval", pasted: "", model });
  await signInAs(page, "admin");
  const url = `http://127.0.0.1:${receiverPort()}/every-page`;
  const endpoint = await mutate<{ id: string }>(page, "webhooks.create", {
    url,
    description: "The team's channel",
    types: ["server.suspended"],
  });

  return [
    ...PLACES,
    { path: `/runs/${hostile}?t=6`, title: /Support desk under attack [0-9a-f]{8} · Run · Countersign$/, shows: /write_not_granted/ },
    {
      path: `/runs/${hostile}?compare=${honest}`,
      title: /Support desk under attack [0-9a-f]{8} and [0-9a-f]{8} · Compare runs · Countersign$/,
      shows: /^Run B/,
    },
    { path: `/approvals/${hostileRequest}`, shows: /Calls update_plan on customers once/ },
    { path: `/graphs/architect/${job.id}`, shows: /^2 attempts, |^Proposal not found/ },
    { path: `/admin/webhooks/${endpoint.id}`, needs: "webhook.read", shows: /The team's channel/ },
  ];
};

let added: Promise<readonly Place[]> | null = null;

const listPlaces = (page: Page): Promise<readonly Place[]> => (added ??= addPlaces(page));

/** Navigates as a link does, in a third of the renderer time of a load. */
const follow = async (page: Page, to: string): Promise<void> => {
  await page.evaluate((address) => {
    const { next } = globalThis as unknown as { readonly next: { readonly router: { push(address: string): void } } };
    next.router.push(address);
  }, to);
  await page.waitForURL(({ pathname, search }) => pathname + search === to);
};

const READERS = {
  admin: ["an admin", { role: "admin", auditor: false }],
  builder: ["a builder", { role: "builder", auditor: false }],
  reviewer: ["a reviewer", { role: "reviewer", auditor: false }],
  viewer: ["a viewer", { role: "viewer", auditor: false }],
  "second viewer": ["an auditor", { role: "viewer", auditor: true }],
} as const satisfies Partial<Record<Person, readonly [string, Membership]>>;

for (const [person, [who, { role, auditor }]] of Object.entries(READERS) as [keyof typeof READERS, readonly [string, Membership]][]) {
  test(`every page of ${who} passes axe at three widths in both themes, and none scrolls sideways`, async ({ page }) => {
    const places = await listPlaces(page);
    await signInAs(page, person);
    if (person !== "admin") await page.goto("/");
    for (const { path: at, title, shows, needs } of places) {
      await (person === "admin" ? page.goto(at) : follow(page, at));
      await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
      const denial = needs === undefined ? null : explainDenial(role, needs, auditor);
      if (denial !== null) await expect(page.getByText(denial).first()).toBeVisible();
      else if (shows) await expect(page.getByText(shows).first()).toBeVisible();
      await inspectAt(page, title);
    }
  });
}

const ENTRANCES = ["/sign-in", "/setup?token=unknown", "/join?token=unknown", "/reply?token=unknown"];

test("the pages without a session pass axe at three widths in both themes, and so does a first sign-in", async ({ page }) => {
  for (const at of ENTRANCES) {
    await page.goto(at);
    await inspectAt(page);
  }
  await signInAs(page, "admin");
  const [email, password] = ["nora.quay@harborpoint.example", "tides keep no secrets"];
  const { token } = await mutate<{ token: string }>(page, "people.invite", { email, role: "reviewer", auditor: false });
  await page.context().clearCookies();
  await page.goto(`/join?token=${token}`);
  await inspectAt(page);
  await mutate(page, "join.accept", { token, name: "Nora Quay", password });
  await sendSignIn(page, e2eOrigin(), { provider: "password", email, password });
  await page.goto("/first-passkey");
  await inspectAt(page);
});

const REDIRECTS = ["runs/[id]/compare"];

test("no page of the app is left out", async ({ page }) => {
  const paths = [...(await listPlaces(page)).map(({ path: at }) => at), ...ENTRANCES, "/first-passkey"].map((at) =>
    at.replace(/\?.*/u, ""),
  );
  const routes = fs
    .readdirSync(path.resolve(import.meta.dirname, "../app"), { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page.tsx")
    .map((file) => path.dirname(file));
  const leftOut = routes.filter((route) => {
    const pattern = route.replace(/^\.$|\(\w+\)\/|\/?\[\[.*\]\]/gu, "").replaceAll(/\[\w+\]/gu, "[^/]+");

    return !paths.some((at) => new RegExp(`^/${pattern}$`, "u").test(at));
  });
  expect(leftOut).toEqual(REDIRECTS);
});
