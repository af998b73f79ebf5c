/** WCAG 2.0 to 2.2, A and AA. */
import fs from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

const SCRIPT = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Rules that a colour scheme can break. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Once per document: compiling it costs as much as a scan. */
const ensureAxe = async (page: Page): Promise<void> => {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(SCRIPT);
};

/** @param rules default: WCAG @returns a line per violating element */
export const faultsOf = async (page: Page, rules: readonly string[] = []): Promise<string[]> => {
  // Only this frame is scanned.
  expect(page.frames()).toHaveLength(1);
  await ensureAxe(page);
  // Half-faded text has too little contrast.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ),
  );
  const runOnly: axe.RunOnly = rules.length === 0 ? { type: "tag", values: WCAG } : { type: "rule", values: [...rules] };
  const { faults, passes } = await page.evaluate(async (only) => {
    const { axe: loaded } = globalThis as unknown as { readonly axe: typeof axe };
    // Counts passing elements without descriptions.
    const found = await loaded.run({ runOnly: only, resultTypes: ["violations"] });
    const lines = found.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`),
    );

    return { faults: lines, passes: found.passes.length };
  }, runOnly);
  expect(passes, "rules that apply").toBeGreaterThan(0);

  return faults;
};

/** Scans in light, and colours in dark. Leaves the page dark. */
export const expectAccessible = async (page: Page, what = page.url()): Promise<void> => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  expect(await faultsOf(page), `${what} in light`).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  expect(await faultsOf(page, COLOUR_RULES), `${what} in dark`).toEqual([]);
};

export const expectNamed = async (page: Page, title: RegExp): Promise<void> => {
  await expect(page).toHaveTitle(title);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("main")).toHaveCount(1);
};

export const inspect = async (page: Page, title: RegExp): Promise<void> => {
  await expectNamed(page, title);
  await expectAccessible(page);
};
