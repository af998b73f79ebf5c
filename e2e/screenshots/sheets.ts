/** A sheet per width and theme, with what every person sees. Single pictures stay in `test-results`. */
import fs from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { signInAs } from "../people.ts";
import { SIZES, type Size } from "../sizes.ts";
import { test } from "../test.ts";
import { listViews } from "../views.ts";

const images = path.resolve(import.meta.dirname, "../../docs/images");

const THEMES = ["light", "dark"] as const;

/** Width of a picture, and pictures in a row. */
const THUMBS = { desktop: [400, 5], tablet: [320, 6], phone: [160, 12] } as const satisfies Record<Size, readonly [number, number]>;

const QUALITY = 62;

type Picture = { readonly name: string; readonly png: Buffer };

const escape = (text: string): string => text.replaceAll(/[<>&]/gu, (sign) => `&#${sign.codePointAt(0)};`);

/** Chromium scales and encodes. */
const writeSheet = async (page: Page, size: Size, theme: (typeof THEMES)[number], pictures: readonly Picture[]): Promise<void> => {
  const [width, columns] = THUMBS[size];
  const figures = pictures.map(
    ({ name, png }) =>
      `<figure><figcaption>${escape(name)}</figcaption><img width=${width} src="data:image/png;base64,${png.toString("base64")}"></figure>`,
  );
  const colours = theme === "light" ? "background:#e4e4e7;color:#18181b" : "background:#27272a;color:#fafafa";
  await page.setViewportSize({ width: columns * (width + 12) + 12, height: 800 });
  await page.setContent(`<style>
    body { margin: 12px; display: grid; grid-template-columns: repeat(${columns}, ${width}px); gap: 12px; font: 12px sans-serif; ${colours} }
    figure { margin: 0 } figcaption { padding-bottom: 4px; white-space: nowrap; overflow: hidden } img { display: block }
  </style>${figures.join("")}`);
  await page.evaluate(() => Promise.all(Array.from(document.images, (image) => image.decode())));
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: columns * (width + 12) + 12, height });
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  fs.writeFileSync(path.join(images, `pages-${SIZES[size].width}-${theme}.webp`), Buffer.from(data, "base64"));
};

test("the sheets of all pages", async ({ page }) => {
  test.setTimeout(1_200_000);
  const sheets = (Object.keys(SIZES) as Size[]).flatMap((size) => THEMES.map((theme) => ({ size, theme, pictures: [] as Picture[] })));
  for (const { by, views } of await listViews(page)) {
    if (by === null) await page.context().clearCookies();
    else await signInAs(page, by);
    for (const { name, open, close } of views) {
      await page.setViewportSize(SIZES.desktop);
      await open(page);
      await page.evaluate(() => document.fonts.ready);
      for (const { size, theme, pictures } of sheets) {
        await page.setViewportSize(SIZES[size]);
        await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
        const fit = page.getByRole("button", { name: "Fit View" });
        if (await fit.isVisible()) await fit.click();
        const file = test.info().outputPath(`${name} ${size} ${theme}.png`);
        pictures.push({ name, png: await page.screenshot({ path: file, animations: "disabled", caret: "hide" }) });
      }
      await close?.(page);
    }
  }
  const blank = await page.context().newPage();
  for (const { size, theme, pictures } of sheets) await writeSheet(blank, size, theme, pictures);
});
