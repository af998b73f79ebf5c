import { randomUUID } from "node:crypto";
import path from "node:path";
import { expect, type Browser, type Page } from "@playwright/test";
import type { GraphInput } from "@/lib/graph/document";
import { createPasskey, withAuthenticator } from "./authenticator.ts";
import { inspect } from "./axe.ts";
import { appliedChanges } from "./database.ts";
import { armByKey, commitByKey, commitNow, status } from "./desk.ts";
import { setupLink } from "./home.ts";
import { letIn } from "./registry.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";
import { mutate, query } from "./wire.ts";

const PASSWORD = "tides keep no secrets";
const REASON = "Approved in a workspace that demands passkeys";

/** The workspace demands a passkey. */
const GRAPH: GraphInput = {
  format: "countersign/graph/v1",
  id: "plain-change",
  name: "Plain change",
  memory: [{ key: "written", schema: {} }],
  nodes: [
    { id: "ask", kind: "approval", title: "Approve the change", config: { prompt: "Shall this be written?", for_node: "write" } },
    {
      id: "write",
      kind: "tool",
      title: "Write it",
      effect: "write",
      write_keys: ["written"],
      config: {
        server: "customers",
        tool: "update_plan",
        arguments: { customer_id: { value: "cus_1003" }, plan: { value: "team" }, credit_cents: { value: 0 }, reason: { value: REASON } },
      },
    },
  ],
  edges: [{ id: "asked", source: "ask", target: "write" }],
  start_node: "ask",
  end_nodes: ["write"],
};

/** If a folder is set. */
const shoot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["COUNTERSIGN_SHOTS"];
  if (folder === undefined) return;
  for (const [scheme, width] of [
    ["light", 1440],
    ["dark", 1024],
    ["light", 390],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: path.join(folder, `${name}-${width}-${scheme}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 720 });
};

const invite = async (admin: Page, email: string, role: string): Promise<string> => {
  await admin.goto("/admin/people");
  await admin.getByRole("button", { name: "Invite…" }).click();
  const form = admin.getByRole("dialog", { name: "Invite someone" });
  await form.getByLabel("E-mail").fill(email);
  await form.getByLabel("Role").click();
  await admin.getByRole("option", { name: role, exact: true }).click();
  await expect(form.getByText(`Sign with your passkey to invite ${email} as ${role}.`)).toBeVisible();
  await form.getByRole("button", { name: "Create link" }).click();
  const shown = admin.getByRole("dialog", { name: "Copy the link now" });
  const { pathname, search } = new URL(await shown.getByText("/join?token=").innerText());
  await shown.getByRole("button", { name: "Done" }).click();

  return `${pathname}${search}`;
};

const join = async (admin: Page, browser: Browser, role: "builder" | "reviewer", name: string) => {
  const email = `${role}.${randomUUID()}@harborpoint.example`;
  const link = await invite(admin, email, role);
  const page = await (await browser.newContext()).newPage();
  const authenticator = await withAuthenticator(page);
  await page.goto(link);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join", exact: true }).click();

  return { page, authenticator };
};

const startChange = async (page: Page): Promise<string> => {
  const { hash } = await publish(page, GRAPH, "Plain change");

  return startVersion(page, hash);
};

const openGate = async (page: Page, run: string): Promise<void> => {
  await page.goto(`/runs/${run}`);
  await page.getByRole("link", { name: /^Waiting for a/ }).click();
  await page.waitForURL("**/approvals/*");
  await expect(page.getByText("Shall this be written?").first()).toBeVisible();
};

const addPasskey = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name: "Add passkey…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("table", { name: "Your passkeys" })).toContainText(name);
};

test("an admin and a reviewer enrol a passkey, a write is approved only with one, and an admin replaces a lost one", async ({
  page: admin,
  browser,
}) => {
  const { pathname, search } = new URL(setupLink());
  const adminKey = await withAuthenticator(admin);

  await test.step("the set-up link leads to a first passkey", async () => {
    await admin.goto(`${pathname}${search}`);
    await admin.getByLabel("Your name").fill("Ada Marsh");
    await admin.getByLabel("E-mail").fill("ada@harborpoint.example");
    await admin.getByLabel("Password").fill(PASSWORD);
    await admin.getByLabel("Workspace").fill("Harbor Point");
    await admin.getByRole("button", { name: "Create admin account" }).click();
    await expect(admin.getByText("Without one, you can't approve writes")).toBeVisible();
    await inspect(admin, /Create your passkey/);
    await shoot(admin, "first-passkey");
    // Later, activating a server needs a signature.
    await letIn(admin, { id: "customers", name: "Customers", program: "customers", reading: [], callers: ["node"] });
    await createPasskey(admin);
  });

  await test.step("an invite needs the admin's passkey, on the wire and in the dialog", async () => {
    const asked = { email: "eve@harborpoint.example", role: "viewer", auditor: false };
    await expect(mutate(admin, "people.invite", asked)).rejects.toThrow("Sign this with your passkey.");
    await adminKey.agree(false);
    await admin.goto("/admin/people");
    await admin.getByRole("button", { name: "Invite…" }).click();
    const form = admin.getByRole("dialog", { name: "Invite someone" });
    await form.getByLabel("E-mail").fill(asked.email);
    await form.getByRole("button", { name: "Create link" }).click();
    await expect(form.getByText("Signing was cancelled or timed out.")).toBeVisible();
    await adminKey.agree(true);
    await form.getByRole("button", { name: "Cancel" }).click();
    await expect(admin.getByText(asked.email)).toBeHidden();
  });

  const { page: builder } = await join(admin, browser, "builder", "Ben Field");
  await builder.getByRole("button", { name: "Skip for now" }).click();
  await expect(builder.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  const run = await startChange(builder);
  const before = await appliedChanges(REASON);
  const { page: reviewer, authenticator } = await join(admin, browser, "reviewer", "Rita Quay");

  await test.step("a reviewer without a passkey is told what to do and can't approve", async () => {
    await reviewer.getByRole("button", { name: "Skip for now" }).click();
    await openGate(reviewer, run);
    await expect(reviewer.getByText("Approving this requires a passkey, and you don't have one.").first()).toBeVisible();
    await expect(reviewer.getByRole("button", { name: /^Approve/ })).toHaveAttribute("aria-disabled", "true");
    await shoot(reviewer, "approval-without-passkey");
  });

  await test.step("within the hour they create one themselves and approve with it", async () => {
    await reviewer.goto("/first-passkey");
    await createPasskey(reviewer);
    await openGate(reviewer, run);
    await expect(reviewer.getByText("You sign this approval with your passkey.")).toBeVisible();
    await armByKey(reviewer, "a");
    await commitByKey(reviewer);
    await commitNow(reviewer);
    await reviewer.goto(`/runs/${run}`);
    await expect(status(reviewer)).toContainText("Completed");
    expect(await appliedChanges(REASON)).toBe(before + 1);
  });

  await test.step("a further passkey is signed by the existing one", async () => {
    await authenticator.addKey();
    await reviewer.goto("/settings");
    await expect(reviewer.getByText("An existing passkey signs for each new one.")).toBeVisible();
    await addPasskey(reviewer, "Security key");
    await shoot(reviewer, "settings-reviewer");
  });

  await test.step("a person without passkeys waits for an admin, who signs", async () => {
    for (const name of ["Security key", "First passkey"]) {
      const row = reviewer.getByRole("row").filter({ hasText: name });
      await row.getByRole("button", { name: /^Revoke/ }).click();
      await reviewer
        .getByRole("dialog")
        .getByRole("button", { name: /^Revoke/ })
        .click();
      await expect(row.getByText(/^Revoked/)).toBeVisible();
    }
    await expect(reviewer.getByText("Ask an admin to open People")).toBeVisible();
    await expect(reviewer.getByRole("button", { name: "Add passkey…" })).toHaveAttribute("aria-disabled", "true");
    await shoot(reviewer, "settings-lost");

    await admin.goto("/admin/people");
    await admin.getByRole("button", { name: "Manage Rita Quay" }).click();
    await shoot(admin, "member-dialog");
    await admin.getByRole("button", { name: "Allow a new passkey…" }).click();
    await admin.getByRole("button", { name: "Allow a new passkey", exact: true }).click();
    await expect(admin.getByText("A new one is allowed")).toBeVisible();
    await admin.keyboard.press("Escape");
    await shoot(admin, "people");

    await reviewer.reload();
    await expect(reviewer.getByText("You can add one passkey now.")).toBeVisible();
    // The credential is revoked.
    await authenticator.addKey();
    await addPasskey(reviewer, "New phone");
  });

  await test.step("the only admin sees the policy, asks to lower it, and is shown the operator's command", async () => {
    await admin.goto("/settings");
    const policy = admin.getByRole("region", { name: "Passkeys for approvals" });
    const { workspace } = await query<{ workspace: string }>(admin, "policy.get", undefined);
    await expect(policy.getByText(`countersign policy set graph --workspace ${workspace} --yes`)).toBeVisible();
    await policy.getByRole("button", { name: "Let graphs decide…" }).click();
    await admin.getByRole("button", { name: "Ask a second admin" }).click();
    await expect(policy.getByText(/^You asked to let graphs decide about passkeys/)).toBeVisible();
    await inspect(admin, /Settings/);
    await shoot(admin, "settings-policy");
    await reviewer.goto("/settings");
    await expect(reviewer.getByRole("button", { name: "Confirm…" })).toHaveAttribute("aria-disabled", "true");
    await policy.getByRole("button", { name: "Withdraw…" }).click();
    await admin.getByRole("dialog").getByRole("button", { name: "Withdraw", exact: true }).click();
    await expect(policy.getByRole("button", { name: "Let graphs decide…" })).toBeVisible();
  });
});
