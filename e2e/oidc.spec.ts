import fs from "node:fs";
import path from "node:path";
import { expect, type Browser, type Page } from "@playwright/test";
import { inspect } from "./axe.ts";
import { enterAt, spellings } from "./identity-helpers.ts";
import type { Claims, IdentityProvider } from "./identity-provider.ts";
import { test } from "./listening.ts";
import {
  addPerson,
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  comeBy,
  openPage,
  PROVIDER,
  sessionCookies,
  startOidcInstallation,
  type OidcInstallation,
} from "./oidc-installation.ts";
import { leavePages, sendSignIn } from "./people.ts";
import { mutate, query } from "./wire.ts";

const DENIED = `Your ${PROVIDER} account has no access here.`;

let installation: OidcInstallation;
let home: string;
let origin: string;
let provider: IdentityProvider;

test.describe.configure({ mode: "serial" });

const known = (claims: Partial<Claims> = {}) => addPerson(provider, claims);
const newPage = (browser: Browser): Promise<Page> => openPage(browser, origin);

const asAdmin = async <T>(browser: Browser, work: (page: Page) => Promise<T>): Promise<T> => {
  const page = await newPage(browser);
  await sendSignIn(page, origin, { provider: "password", email: ADMIN_EMAIL, password: ADMIN_PASSWORD });
  await leavePages(page);
  const result = await work(page);
  await page.context().close();

  return result;
};

const invite = (browser: Browser, email: string, role: string): Promise<string> =>
  asAdmin(browser, async (page) => {
    const { token } = await mutate<{ token: string }>(page, "people.invite", { email, role, auditor: false });

    return token;
  });

const disable = (browser: Browser, email: string): Promise<void> =>
  asAdmin(browser, async (page) => {
    const { members } = await query<{ members: { id: string; email: string }[] }>(page, "people.list", undefined);
    const user = members.find((member) => member.email === email);
    await mutate(page, "people.setDisabled", { userId: user?.id, disabled: true });
  });

const answersTo = (page: Page): readonly string[] => {
  const answers: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(`${origin}/api/auth/callback/oidc?`)) answers.push(request.url());
  });

  return answers;
};

test.beforeAll(async () => {
  test.setTimeout(180_000);
  installation = await startOidcInstallation();
  ({ home, origin, provider } = installation);
});

test.afterAll(() => installation.close());

test("an invitee gets the invite's role and lands on the requested page; later sign-ins go by subject", async ({ browser }) => {
  const { login, email } = known();
  await invite(browser, email, "reviewer");
  const page = await newPage(browser);
  await page.goto("/runs");
  await inspect(page, /Sign in/);
  await comeBy(page, login);
  await expect(page).toHaveURL(`${origin}/runs`);
  await page.goto("/");
  await expect(page.getByText("Harbor, as reviewer")).toBeVisible();

  // Addresses may change hands: the subject decides.
  provider.people.set(login, { email: "other@harborpoint.example", email_verified: true, name: "Ines Vale" });
  const successor = known({ email });
  const again = await newPage(browser);
  await again.goto("/sign-in");
  await comeBy(again, login);
  await expect(again.getByText("Harbor, as reviewer")).toBeVisible();
  const other = await newPage(browser);
  await other.goto("/sign-in");
  await comeBy(other, successor.login);
  await expect(other.getByText(DENIED)).toBeVisible();
});

test("an unverified address, a stranger and a disabled account get the same answer, no session, and a coded log line", async ({
  browser,
}) => {
  const unverified = known({ email_verified: false });
  const stranger = known();
  const disabled = known();
  await invite(browser, unverified.email, "admin");
  await invite(browser, disabled.email, "viewer");
  const first = await newPage(browser);
  await first.goto("/sign-in");
  await comeBy(first, disabled.login);
  await expect(first.getByText("Harbor, as viewer")).toBeVisible();
  await disable(browser, disabled.email);
  await first.reload();
  await expect(first).toHaveURL(/\/sign-in/);

  const told: string[] = [];
  for (const { login } of [unverified, stranger, disabled]) {
    const page = await newPage(browser);
    await page.goto("/sign-in");
    await comeBy(page, login);
    await expect(page.getByText(DENIED)).toBeVisible();
    told.push(`${new URL(page.url()).search} ${await page.getByRole("main").innerText()}`);
    expect(await sessionCookies(origin, page)).toEqual([]);
    await page.context().close();
  }
  expect(new Set(told).size).toBe(1);
  const [web, runner] = ["web", "runner"].map((name) => fs.readFileSync(path.join(home, "log", `${name}.log`), "utf8"));
  for (const code of ["email_unverified", "unknown", "disabled"]) expect(runner).toContain(`"code":"${code}"`);
  for (const { login, email } of [unverified, stranger, disabled])
    for (const text of [login, email]) expect([web?.includes(text), runner?.includes(text)]).toEqual([false, false]);
});

test("no credential or code appears in any log or page, in any encoding", async ({ browser }) => {
  const { login, email } = known();
  await invite(browser, email, "viewer");
  const page = await newPage(browser);
  const answers = answersTo(page);
  await page.goto("/sign-in");
  await comeBy(page, login);
  await expect(page.getByText("Harbor, as viewer")).toBeVisible();
  const own = await newPage(browser);
  await own.goto("/sign-in");
  for (const password of ["not the tides", ADMIN_PASSWORD]) {
    await own.getByLabel("E-mail").fill(ADMIN_EMAIL);
    await own.getByLabel("Password").fill(password);
    await own.getByRole("button", { name: "Sign in", exact: true }).click();
    if (password !== ADMIN_PASSWORD) await expect(own.getByText("Sign-in failed.")).toBeVisible();
  }
  await expect(own.getByText("Harbor, as admin")).toBeVisible();

  const cookies = [...(await sessionCookies(origin, page)), ...(await sessionCookies(origin, own))].map(({ value }) => value);
  const codes = answers.map((url) => new URL(url).searchParams.get("code") ?? "");
  expect([cookies.length, codes.length]).toEqual([2, 1]);
  const logs = fs.readdirSync(path.join(home, "log")).map((file) => fs.readFileSync(path.join(home, "log", file), "utf8"));
  const texts = [...logs, await own.content(), await page.content()];
  for (const secret of [...cookies, ...codes, provider.clientSecret, "not the tides", ADMIN_PASSWORD]) {
    expect(spellings(secret).filter((form) => texts.some((text) => text.includes(form)))).toEqual([]);
  }
});

test("a callback works once, in the browser that asked", async ({ browser }) => {
  const { login, email } = known();
  await invite(browser, email, "viewer");
  const page = await newPage(browser);
  const answers = answersTo(page);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: `Continue with ${PROVIDER}` }).click();
  await enterAt(page, login);
  // No pending request in this browser.
  await page.context().clearCookies({ name: /^next-auth\./ });
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText(DENIED)).toBeVisible();

  const thief = await newPage(browser);
  await thief.goto("/sign-in");
  await thief.getByRole("button", { name: `Continue with ${PROVIDER}` }).click();
  await expect(thief.getByPlaceholder("Enter any login")).toBeVisible();
  await thief.goto(answers[0] ?? "");
  await expect(thief.getByText(DENIED)).toBeVisible();
  expect([await sessionCookies(origin, page), await sessionCookies(origin, thief)]).toEqual([[], []]);

  await page.getByRole("button", { name: `Continue with ${PROVIDER}` }).click();
  await expect(page.getByText("Harbor, as viewer")).toBeVisible();
  await page.context().clearCookies({ name: /countersign/u });
  await page.goto(answers[1] ?? "");
  await expect(page.getByText(DENIED)).toBeVisible();
  expect([answers.length, await sessionCookies(origin, page)]).toEqual([3, []]);
});

test("a provider account steps up there, with its password asked again", async ({ browser }) => {
  const { login, email } = known();
  const token = await invite(browser, email, "admin");
  const page = await newPage(browser);
  await page.goto(`/join?token=${token}`);
  await comeBy(page, login);
  await page.getByRole("button", { name: "Skip for now" }).click();
  await expect(page.getByText("Harbor, as admin")).toBeVisible();

  const askToInvite = async (): Promise<void> => {
    await page.goto("/admin/people");
    await page.getByRole("button", { name: "Invite…" }).click();
    await page.getByLabel("E-mail").fill("next@harborpoint.example");
    await page.getByRole("dialog").getByRole("button", { name: "Create link" }).click();
  };
  await askToInvite();
  await page.getByRole("button", { name: "Sign in again" }).click();
  // The provider knows this browser, and still asks.
  await enterAt(page, login);
  await expect(page).toHaveURL(`${origin}/admin/people`);
  await askToInvite();
  await expect(page.getByRole("dialog").getByText("/join?token=")).toBeVisible();
});

test("an admin maps a group; a newcomer in it gets an account, and signing out ends the provider's session too", async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await page.goto("/admin/people?show=provider");
    await inspect(page, /People/);
    await page.getByRole("button", { name: "Add mapping…" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "Add group" }).click();
    await form.getByLabel("Provider group").fill("reviewers");
    await form.getByLabel("Role of reviewers").click();
    await page.getByRole("option", { name: "reviewer" }).click();
    await form.getByText("Create an account at the first sign-in").click();
    await form.getByRole("button", { name: "Save mapping" }).click();
    await expect(page.getByRole("table", { name: "Group mapping" })).toContainText("reviewers");
  });
  const { login } = known({ groups: ["reviewers"] });
  const page = await newPage(browser);
  await page.goto("/sign-in");
  await comeBy(page, login);
  await expect(page.getByText("Harbor, as reviewer")).toBeVisible();

  await page.getByRole("button", { name: /Ines Vale/u }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await expect(page).toHaveURL(`${origin}/sign-in`);
  expect(await sessionCookies(origin, page)).toEqual([]);
  await comeBy(page, login);
  await expect(page.getByText("Harbor, as reviewer")).toBeVisible();
});

test("a directory creates a person by a SCIM token; they sign in, and are out once it says they are inactive", async ({ browser }) => {
  const token = await asAdmin(browser, async (page) => {
    await page.goto("/admin/people?show=provider");
    await expect(page.getByText(`${origin}/scim/v2`)).toBeVisible();
    await page.getByRole("button", { name: "Create SCIM token…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    const shown = page.getByRole("dialog", { name: "Copy the token now" });
    const text = await shown.getByText(/^csd_/u).innerText();
    await shown.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("table", { name: "SCIM tokens" })).toContainText("Active");

    return text;
  });
  const { login, email } = known();
  const scim = async (method: string, place: string, body: object): Promise<{ id: string; detail?: string }> => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/scim+json" };
    const response = await fetch(`${origin}/scim/v2/${place}`, { method, headers, body: JSON.stringify(body) });

    return (await response.json()) as { id: string; detail?: string };
  };
  const { id } = await scim("POST", "Users", { userName: email, active: true });
  await scim("POST", "Groups", { displayName: "reviewers", members: [{ value: id }] });
  const page = await newPage(browser);
  await page.goto("/sign-in");
  await comeBy(page, login);
  await expect(page.getByText("Harbor, as reviewer")).toBeVisible();
  await scim("PATCH", `Users/${id}`, { Operations: [{ op: "replace", value: { active: false } }] });
  await page.goto("/runs");
  await expect(page).toHaveURL(/\/sign-in/u);
  expect(await scim("POST", "Users", { userName: ADMIN_EMAIL })).toMatchObject({ detail: "This address already belongs to a member." });
  await asAdmin(browser, async (admin) => {
    await admin.goto("/admin/people?show=provider");
    await expect(admin.getByRole("table", { name: "Refused changes" })).toContainText("This address already belongs to a member.");
    await inspect(admin, /People/);
  });
});

test("redirects after sign-in stay on our origin", async ({ browser }) => {
  const { login, email } = known();
  await invite(browser, email, "viewer");
  const page = await newPage(browser);
  await page.goto("/sign-in?to=//evil.example/");
  await comeBy(page, login);
  await expect(page).toHaveURL(`${origin}/`);
});
