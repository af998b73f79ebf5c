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

/** Who has signed in through the page already, by the cookies that they got: asking again would only take time. */
const signedIn = new Map<Person, Cookie[]>();

/** Signs in as one of the accounts, signing out whoever was. */
export const signInAs = async (page: Page, person: Person): Promise<void> => {
  // A page that finds its session gone goes to the sign-in page by itself, in the middle of whatever is done here.
  await page.goto("about:blank");
  await page.context().clearCookies();
  const cookies = signedIn.get(person);
  if (cookies) {
    await page.context().addCookies(cookies);
    await page.goto("/");
  } else {
    await openDemo(page);
    await page.getByRole("button", { name: new RegExp(`Continue as ${person}`) }).click();
  }
  await expect(page.getByRole("navigation")).toBeVisible();
  if (!cookies) signedIn.set(person, await page.context().cookies());
};
