import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectNamed } from "./axe.ts";
import { SIZES, type Size } from "./sizes.ts";

const KEPT = /^(class|role|style|type|tabindex|hidden|disabled|aria-(hidden|disabled|expanded|pressed|selected|checked|sort))$/u;

/** Texts differ by reader and minute. */
const readParts = (page: Page): Promise<readonly string[]> =>
  page.evaluate((kept) => {
    const frame = document.body.cloneNode(true) as HTMLElement;
    for (const script of frame.querySelectorAll("script, style")) script.remove();
    for (const element of frame.querySelectorAll("*")) {
      for (const { name, value } of Array.from(element.attributes)) {
        if (!new RegExp(kept, "u").test(name) && value !== "") element.setAttribute(name, "x");
      }
      element.removeAttribute("aria-current");
    }
    const texts = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.nodeValue = texts.currentNode.nodeValue?.trim() ? "x" : "";
    const main = frame.querySelector("main");
    main?.remove();

    return [frame.innerHTML, main?.outerHTML ?? ""];
  }, KEPT.source);

const passed = new Set<string>();

/** Resizes, because loading costs more than axe. Skips documents whose parts passed for another reader. */
export const inspectAt = async (page: Page, title = / · Countersign$/u): Promise<void> => {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByLabel("Loading", { exact: true }).or(page.getByText("Loading…"))).toHaveCount(0);
  for (const size of Object.keys(SIZES) as Size[]) {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize(SIZES[size]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow, `${page.url()} scrolls sideways on a ${size}`).toBeLessThanOrEqual(0);
    await expectNamed(page, title);
    const parts = (await readParts(page)).map((part) => `${size} ${part}`);
    if (parts.every((part) => passed.has(part))) continue;
    await expectAccessible(page, `${page.url()} on a ${size}`);
    for (const part of parts) passed.add(part);
  }
  await page.setViewportSize(SIZES.desktop);
};
