/** What people do who have a keyboard and no mouse: Tab until something has the focus, then keys. */
import { expect, type Locator, type Page } from "@playwright/test";

/** More stops than any page has; whoever has not arrived by then never will. */
const MAX_STOPS = 120;

/** Whether one of them has the keyboard. */
export const hasKeyboard = (target: Locator): Promise<boolean> =>
  target.evaluateAll((elements) => elements.some((element) => element === document.activeElement));

/** Presses Tab until the target has the keyboard. @throws when Tab never comes there */
export const tabTo = async (page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> => {
  await expect(target.first()).toBeVisible();
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    if (await hasKeyboard(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never comes to ${target.toString()}.`);
};

/** Tabs to a control and presses Enter on it. */
export const pressOn = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
};

/** Puts text in the place of what is in a field. */
export const typeInto = async (page: Page, field: Locator, text: string): Promise<void> => {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
};

/** Goes to another of a list of tabs. */
export const openTab = async (page: Page, name: RegExp): Promise<void> => {
  const chosen = page.getByRole("tab", { selected: true });
  const wanted = page.getByRole("tab", { name });
  await tabTo(page, chosen);
  for (let steps = 0; steps < 12 && !(await hasKeyboard(wanted)); steps += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(wanted).toHaveAttribute("aria-selected", "true");
};

/** Presses `g` and the key of a place, again when the page was not yet listening or the machine too slow for the two keys. */
export const goTo = (page: Page, key: string, url: RegExp): Promise<void> =>
  expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page).toHaveURL(url, { timeout: 3_000 });
  }).toPass();

/** Signs in on the sign-in page. */
export const signInByKeyboard = async (page: Page, role: string): Promise<void> => {
  // A key that is pressed before the page listens is lost to people too.
  await page.goto("/sign-in", { waitUntil: "networkidle" });
  const open = page.getByRole("button", { name: "Open the demo workspace" });
  const account = page.getByRole("button", { name: new RegExp(`Continue as ${role}`) });
  await expect(open.or(account).first()).toBeVisible();
  if (await open.isVisible()) await pressOn(page, open);
  await expect(account).toBeVisible({ timeout: 60_000 });
  await pressOn(page, account);
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
};
