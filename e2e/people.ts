import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { e2eOrigin } from "./home.ts";
import { mutate } from "./wire.ts";

export type DemoRole = "admin" | "builder" | "reviewer" | "viewer";

/** The second viewer is the auditor. */
export type Person = DemoRole | "second builder" | "second reviewer" | "second viewer";

const answering = new WeakSet<Page>();

/** Demo accounts have a button. Playwright looks for the dialog before each step; by role, in the whole page. */
const answerStepUp = async (page: Page): Promise<void> => {
  if (answering.has(page)) return;
  answering.add(page);
  const title = page.getByRole("heading", { name: "Confirm your identity", exact: true });
  const dialog = page.locator("[role=dialog]", { has: title });
  await page.addLocatorHandler(dialog, () => dialog.getByRole("button", { name: "Confirm" }).click());
};

type Credentials =
  | { readonly provider: "demo"; readonly role: string; readonly second: string }
  | { readonly provider: "password"; readonly email: string; readonly password: string };

/** demo, setup and keyboard.spec.ts test the page itself. */
export const sendSignIn = async (page: Page, origin: string, { provider, ...fields }: Credentials): Promise<void> => {
  await page.context().clearCookies();
  const answer = await page.request.get(`${origin}/api/auth/csrf`);
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  const response = await page.request.post(`${origin}/api/auth/callback/${provider}`, {
    headers: { origin },
    form: { ...fields, csrfToken, json: "true", callbackUrl: origin },
  });
  expect(response.ok(), await response.text()).toBe(true);
};

/** Opens the cheapest address: a page would cost seconds. */
export const leavePages = async (page: Page): Promise<void> => {
  await page.goto("/api/live");
};

/** Signs out first, and leaves no page open. */
export const signInAs = async (page: Page, person: Person): Promise<void> => {
  await leavePages(page);
  await answerStepUp(page);
  const role = person.replace("second ", "");
  await sendSignIn(page, e2eOrigin(), { provider: "demo", role, second: String(role !== person) });
};

/** A new admin with the auditor add-on. */
export const signInAsAuditor = async (page: Page): Promise<void> => {
  const [email, password] = [`audrey.${randomUUID()}@harborpoint.example`, "tides keep no secrets"];
  await signInAs(page, "admin");
  const { token } = await mutate<{ token: string }>(page, "people.invite", { email, role: "admin", auditor: true });
  await mutate(page, "join.accept", { token, name: "Audrey Auditor", password });
  await sendSignIn(page, e2eOrigin(), { provider: "password", email, password });
};
