/** What axe finds on a page, by the rules of WCAG 2.0 to 2.2, A and AA. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** @returns one line per element that breaks a rule */
export const faultsOf = async (page: Page): Promise<string[]> => {
  // No page of ours has frames, and without them axe needs no second page to gather what it found: less than half of the time.
  expect(page.frames()).toHaveLength(1);
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // Every rule is checked; what passes, which is most of a page, is counted without a description of each element.
  const { violations } = await axe
    .options({ resultTypes: ["violations"] })
    .withTags(WCAG)
    .analyze();

  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`));
};

/** Title, landmarks and one heading of the first level; then axe in both colour schemes. */
export const inspect = async (page: Page, title: RegExp): Promise<void> => {
  await expect(page).toHaveTitle(title);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("main")).toHaveCount(1);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await faultsOf(page), `${page.url()} in ${colorScheme}`).toEqual([]);
  }
};
