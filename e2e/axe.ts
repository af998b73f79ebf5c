/** WCAG 2.0 to 2.2, A and AA. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** @returns a line per violating element */
export const faultsOf = async (page: Page): Promise<string[]> => {
  // Frame support more than doubles axe's time.
  expect(page.frames()).toHaveLength(1);
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // Counts passing elements without descriptions.
  const { violations } = await axe
    .options({ resultTypes: ["violations"] })
    .withTags(WCAG)
    .analyze();

  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`));
};

/** Checks title, landmarks and h1, then both colour schemes. */
export const inspect = async (page: Page, title: RegExp): Promise<void> => {
  await expect(page).toHaveTitle(title);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("main")).toHaveCount(1);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await faultsOf(page), `${page.url()} in ${colorScheme}`).toEqual([]);
  }
};
