import { expect, type Locator, type Page } from "@playwright/test";

/** More than any page has. */
const MAX_STOPS = 120;

export const hasKeyboard = (target: Locator): Promise<boolean> =>
  target.evaluateAll((elements) => elements.some((element) => element === document.activeElement));

/** A dialog takes focus late. */
const isAmong = (target: Locator): Promise<boolean> =>
  target.first().evaluate((element) => element.closest("[role='dialog']")?.contains(document.activeElement) ?? true);

/** @throws when Tab never gets there */
export const tabTo = async (page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> => {
  await expect(target.first()).toBeVisible();
  await expect.poll(() => isAmong(target)).toBe(true);
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    if (await hasKeyboard(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never comes to ${target.toString()}.`);
};

export const pressOn = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
};

export const openQueued = async (page: Page, link: Locator): Promise<void> => {
  await pressOn(page, link);
  await page.waitForURL("**/approvals/*");
};

export const typeInto = async (page: Page, field: Locator, text: string): Promise<void> => {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
};

export const openTab = async (page: Page, name: RegExp): Promise<void> => {
  const chosen = page.getByRole("tab", { selected: true });
  const wanted = page.getByRole("tab", { name });
  const focused = page.locator("[role='tab']:focus");
  await tabTo(page, chosen);
  for (let steps = 0; steps < 12 && !(await hasKeyboard(wanted)); steps += 1) {
    const id = (await focused.getAttribute("id")) ?? "";
    await page.keyboard.press("ArrowRight");
    await expect(focused).not.toHaveAttribute("id", id);
  }
  await page.keyboard.press("Enter");
  await expect(wanted).toHaveAttribute("aria-selected", "true");
};

const takeOption = async (page: Page, option: Locator): Promise<void> => {
  await expect(option).toBeVisible();
  await page.keyboard.press("Home");
  for (let steps = 0; steps < 40; steps += 1) {
    if ((await option.getAttribute("data-highlighted")) !== null) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await expect(option).toHaveCount(0);
};

/** A list can close while opening; then it is opened again. */
export const choose = async (page: Page, list: string, option: string | RegExp): Promise<void> => {
  const field = page.getByRole("combobox", { name: list });
  await expect(async () => {
    await pressOn(page, field);
    await takeOption(page, page.getByRole("option", { name: option, exact: typeof option === "string" }));
    await expect(field).toContainText(option, { timeout: 1_000 });
    await expect(field).toBeFocused({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
};

/** Repeats until the page listens. */
export const goTo = (page: Page, key: string, url: RegExp): Promise<void> =>
  expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page).toHaveURL(url, { timeout: 3_000 });
  }).toPass();

export const signInByKeyboard = async (page: Page, role: string): Promise<void> => {
  await page.goto("/sign-in");
  await pressOn(page, page.getByRole("button", { name: new RegExp(`Continue as ${role}`) }));
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
};
