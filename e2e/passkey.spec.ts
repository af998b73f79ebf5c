import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, type Page, type Route } from "@playwright/test";
import type { GraphInput } from "@/lib/graph/document";
import { withAuthenticator } from "./authenticator.ts";
import { inspect } from "./axe.ts";
import { appliedChanges } from "./database.ts";
import { armByKey, commitByKey, commitNow, pressUntil, seeAll, status } from "./desk.ts";
import { e2eHome } from "./home.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";
import { mutate, query } from "./wire.ts";

const REASON = "Approved with a passkey, for once";

const GRAPH: GraphInput = {
  format: "countersign/graph/v1",
  id: "signed-change",
  name: "Signed change",
  memory: [{ key: "written", schema: {} }],
  nodes: [
    {
      id: "ask",
      kind: "approval",
      title: "Sign the change",
      config: { prompt: "Shall this be written, signed by you?", for_node: "write", passkey: true },
    },
    {
      id: "write",
      kind: "tool",
      title: "Write it",
      effect: "write",
      write_keys: ["written"],
      config: {
        server: "customers",
        tool: "update_plan",
        arguments: {
          customer_id: { value: "cus_1003" },
          plan: { value: "team" },
          credit_cents: { value: 0 },
          reason: { value: REASON },
        },
      },
    },
  ],
  edges: [{ id: "asked", source: "ask", target: "write" }],
  start_node: "ask",
  end_nodes: ["write"],
};

const startSigned = async (page: Page): Promise<string> => {
  const { hash } = await publish(page, { ...GRAPH, id: `signed-change-${Date.now()}` }, "Signed change");
  const run = await startVersion(page, hash);
  await page.goto(`/runs/${run}`);
  await expect(status(page)).toContainText("Waiting");

  return run;
};

const addPasskey = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name: "Add passkey…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("table", { name: "Your passkeys" })).toContainText(name);
};

/** The demo may be older than the first passkey's grace period. */
const allowPasskey = async (page: Page, email: string): Promise<void> => {
  await signInAs(page, "admin");
  const { members } = await query<{ members: { id: string; email: string }[] }>(page, "people.list", undefined);
  const user = members.find((member) => member.email === email)?.id;
  await mutate(page, "passkeys.allow", { userId: user, allowance: randomUUID() });
};

const openGate = async (page: Page, run: string): Promise<void> => {
  await page.goto(`/runs/${run}`);
  await page.getByRole("link", { name: /^Waiting for a/ }).click();
  await page.waitForURL("**/approvals/*");
  await expect(page.getByText("Shall this be written, signed by you?").first()).toBeVisible();
};

const cli = async (...args: string[]): Promise<{ code: number; out: string }> => {
  const bin = path.resolve(import.meta.dirname, "../bin/countersign.mjs");
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [bin, ...args], {
      env: { ...process.env, COUNTERSIGN_HOME: e2eHome(), DATABASE_URL: "" },
      maxBuffer: 64 * 1_048_576,
    });

    return { code: 0, out: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };

    return { code, out: stdout };
  }
};

/** Like a browser without the signature. */
const withoutSignature = (route: Route): Promise<void> => {
  const text = route.request().postData() ?? "";
  const unsigned = text.replace(/,"assertion":\{[^}]*\}/, "");
  expect(unsigned.length).toBeLessThan(text.length);

  return route.continue({ postData: unsigned });
};

test.setTimeout(240_000);

test("a passkey-protected approval needs one; the effect happens once, and the exported run names the signer", async ({ page }) => {
  await allowPasskey(page, "reviewer@demo.invalid");
  await signInAs(page, "builder");
  const run = await startSigned(page);
  const before = await appliedChanges(REASON);

  await signInAs(page, "reviewer");
  const authenticator = await withAuthenticator(page);
  await test.step("people without a passkey are told where to add one", async () => {
    await openGate(page, run);
    await expect(page.getByText("Approving this requires a passkey, and you don't have one.").first()).toBeVisible();
    await expect(page.getByRole("button", { name: /^Approve/ })).toHaveAttribute("aria-disabled", "true");
    await page.getByRole("link", { name: "Add one in settings" }).click();
    await page.waitForURL("**/settings");
  });

  await test.step("registered in settings", async () => {
    await expect(page.getByText("No passkeys yet")).toBeVisible();
    await addPasskey(page, "Test key");
    await inspect(page, /Settings/);
  });

  await test.step("an unsigned decision is refused without effect", async () => {
    await openGate(page, run);
    await page.route("**/api/trpc/approvals.decide**", withoutSignature, { times: 1 });
    await armByKey(page, "a");
    await commitByKey(page);
    await commitNow(page, "Sign this with your passkey.");
    expect(await appliedChanges(REASON)).toBe(before);
  });

  await test.step("a cancelled signature loses nothing; a completed one commits the decision", async () => {
    await authenticator.agree(false);
    await armByKey(page, "a");
    await pressUntil(page, "Enter", page.getByText(/^Signing was cancelled or timed out/));
    await expect(page.getByText("Approve?", { exact: true })).toBeVisible();
    await authenticator.agree(true);
    await commitByKey(page);
    await commitNow(page);
  });

  await page.goto(`/runs/${run}`);
  await expect(status(page)).toContainText("Completed");
  expect(await appliedChanges(REASON)).toBe(before + 1);

  await test.step("the exported run verifies offline and names the passkey; a changed byte is found", async () => {
    const file = path.join(e2eHome(), `${run}.json`);
    expect(await cli("export", run, "--out", file)).toMatchObject({ code: 0 });
    const verified = await cli("verify", file, "--json");
    expect(verified.code).toBe(0);
    const report = JSON.parse(verified.out) as { passkeys: { seq: number; registered: boolean }[]; not_proved: string[] };
    expect(report.passkeys).toMatchObject([{ registered: true, rp_id: "localhost" }]);
    const text = fs.readFileSync(file, "utf8");
    const signature = /\\"signature\\":\\"(ME[A-Za-z0-9_-]+)\\"/.exec(text)?.[1] ?? "";
    expect(signature).not.toBe("");
    const changed = `${signature.slice(0, 40)}${signature[40] === "A" ? "B" : "A"}${signature.slice(41)}`;
    fs.writeFileSync(file, text.replace(signature, changed));
    const tampered = await cli("verify", file, "--json");
    expect(tampered.code).toBe(1);
    expect(JSON.parse(tampered.out)).toMatchObject({ ok: false, seq: report.passkeys[0]?.seq });
  });

  await page.goto("/settings");
  await expect(page.getByRole("table", { name: "Your passkeys" })).not.toContainText("Never");
});

test("on an IP address the page says where passkeys work", async ({ page, baseURL }) => {
  const port = new URL(baseURL ?? "").port;
  await signInAs(page, "viewer");
  const cookies = await page.context().cookies();
  await page.context().addCookies(cookies.map(({ name, value }) => ({ name, value, url: `http://127.0.0.1:${port}/` })));
  await page.goto(`http://127.0.0.1:${port}/settings`);
  await expect(page.getByText(`Open this page at localhost:${port}`).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Add passkey…" })).toHaveAttribute("aria-disabled", "true");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("one thumb opens the request, approves it and signs with a passkey", async ({ page }) => {
    await allowPasskey(page, "second.reviewer@demo.invalid");
    await signInAs(page, "builder");
    const run = await startSigned(page);
    await signInAs(page, "second reviewer");
    await withAuthenticator(page);
    await page.goto("/settings");
    await addPasskey(page, "Phone");

    await page.goto(`/runs/${run}`);
    await page.getByRole("link", { name: /^Waiting for a/ }).tap();
    await page.waitForURL("**/approvals/*");
    for (const name of [/^Reject/, /^Approve/]) {
      const box = await page.getByRole("button", { name }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(48);
      // The lower third, where a thumb is.
      expect(box?.y).toBeGreaterThan((844 * 2) / 3);
    }
    await seeAll(page);
    await page.getByRole("button", { name: /^Approve/ }).tap();
    await expect(page.getByText("Approve?", { exact: true })).toBeVisible();
    await inspect(page, /Approval · Countersign$/);
    await page.getByRole("button", { name: "Confirm approval" }).tap();
    await expect(page.getByText("Committed as").first()).toBeVisible();
  });
});
