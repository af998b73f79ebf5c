/** Signing in, as the people of the demo do. */
import { expect, type Cookie, type Page } from "@playwright/test";

export type DemoRole = "admin" | "builder" | "reviewer" | "viewer";

/** Opens the demo workspace if this installation has none yet; the button is there until somebody presses it. */
export const openDemo = async (page: Page): Promise<void> => {
  await page.goto("/sign-in");
  const open = page.getByRole("button", { name: "Open the demo workspace" });
  const ready = page.getByRole("button", { name: /Continue as builder/ });
  await expect(open.or(ready)).toBeVisible();
  if (await open.isVisible()) await open.click();
  // Two MCP servers are started, inspected, reviewed and activated on the way.
  await expect(ready).toBeVisible({ timeout: 60_000 });
};

type Person = DemoRole | "second builder" | "second reviewer";

type Kept = { readonly cookies: Cookie[]; readonly untilMs: number };

/** Who has signed in through the page already, by the cookies that they got: asking again would only take time. */
const signedIn = new Map<Person, Kept>();

/** Shorter than the five minutes after which what matters most takes a new proof, which a call without a page cannot give. */
const KEPT_MS = 3 * 60_000;

const answering = new WeakSet<Page>();

/** Confirms who one is whenever the page asks for it, as the accounts of the demo do: with a button. */
const answerStepUp = async (page: Page): Promise<void> => {
  if (answering.has(page)) return;
  answering.add(page);
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await page.addLocatorHandler(dialog, () => dialog.getByRole("button", { name: "Confirm" }).click());
};

/** Signs in as one of the accounts, signing out whoever was. */
export const signInAs = async (page: Page, person: Person): Promise<void> => {
  // A page that finds its session gone goes to the sign-in page by itself, in the middle of whatever is done here.
  await page.goto("about:blank");
  await answerStepUp(page);
  await page.context().clearCookies();
  const kept = signedIn.get(person);
  const cookies = kept && kept.untilMs > Date.now() ? kept.cookies : null;
  if (cookies) {
    await page.context().addCookies(cookies);
    await page.goto("/");
  } else {
    await openDemo(page);
    await page.getByRole("button", { name: new RegExp(`Continue as ${person}`) }).click();
  }
  await expect(page.getByRole("navigation")).toBeVisible();
  if (!cookies) signedIn.set(person, { cookies: await page.context().cookies(), untilMs: Date.now() + KEPT_MS });
};
