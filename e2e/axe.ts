/** WCAG 2.0 to 2.2, A and AA. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Rules that a colour scheme can break. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** @param rules default: WCAG @returns a line per violating element */
export const faultsOf = async (page: Page, rules: readonly string[] = []): Promise<string[]> => {
  // Frame support more than doubles axe's time.
  expect(page.frames()).toHaveLength(1);
  // Counts passing elements without descriptions.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await (rules.length === 0 ? axe.withTags(WCAG) : axe.withRules([...rules])).analyze();

  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`));
};

/** Scans in light, and colours in dark. Leaves the page dark. */
export const expectAccessible = async (page: Page, what = page.url()): Promise<void> => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  expect(await faultsOf(page), `${what} in light`).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  expect(await faultsOf(page, COLOUR_RULES), `${what} in dark`).toEqual([]);
};

/** Checks title, landmarks, h1, accessibility. */
export const inspect = async (page: Page, title: RegExp): Promise<void> => {
  await expect(page).toHaveTitle(title);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("main")).toHaveCount(1);
  await expectAccessible(page);
};
