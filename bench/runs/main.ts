/**
 * `npm run bench:runs -- [--records N] [--opens N] [--seed S] [--port P] [--json]`: the page of a long run; 0 within budget. `--url U
 * --home H [--run R]`: a running installation. `--into H [--records N] [--seed S] [--until N]` writes a run, prints its id, and extends
 * it per input line.
 */
import readline from "node:readline";
import { parseArgs } from "node:util";
import { chromium, type Browser, type Page } from "@playwright/test";
import { startInstallation } from "@/bench/canvas/installation";
import { findChromium } from "@/bin/test/chromium";
import { measureRun } from "./measure";
import { isWithin, reportOf } from "./report";
import { installedPlace, seedRun } from "./seed";

const VIEW = { width: 1440, height: 900 };
const PATIENCE_MS = 180_000;
const STARTED_AT = Date.UTC(2026, 0, 5, 9);
const SAID_EVERY = 1_000;

const { values } = parseArgs({
  options: {
    records: { type: "string", default: "10000" },
    until: { type: "string" },
    opens: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    port: { type: "string", default: "3972" },
    url: { type: "string" },
    home: { type: "string" },
    run: { type: "string" },
    into: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const launch = (): Promise<Browser> => {
  const isRoot = process.getuid?.() === 0;

  // Chromium's sandbox does not work for root.
  return chromium.launch({ executablePath: findChromium(), args: ["--disable-gpu", ...(isRoot ? ["--no-sandbox"] : [])] });
};

/** Generous for busy machines. */
const signIn = async (page: Page): Promise<void> => {
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto("/sign-in");
  const openDemo = page.getByRole("button", { name: "Open demo workspace" });
  const ready = page.getByRole("button", { name: /Continue as builder/ });
  await openDemo.or(ready).first().waitFor();
  if (await openDemo.isVisible()) await openDemo.click();
  await ready.click();
  await page.getByRole("navigation").first().waitFor();
};

const records = Number(values.records);

const writeInto = async (home: string): Promise<void> => {
  const seeded = await seedRun(await installedPlace(home), { seed: values.seed, records, startedAt: STARTED_AT });
  const answer = (version: number) => process.stdout.write(`${JSON.stringify({ run: seeded.runId, version })}\n`);
  answer(await seeded.goOnTo(Number(values.until ?? Number.MAX_SAFE_INTEGER)));
  for await (const line of readline.createInterface({ input: process.stdin })) answer(await seeded.goOnTo(Number(line)));
  await seeded.close();
};

const seedLong = async (home: string): Promise<{ runId: string; records: number }> => {
  const seeded = await seedRun(await installedPlace(home), { seed: values.seed, records, startedAt: STARTED_AT });
  let said = 0;
  const made = await seeded.goOnTo(Number.MAX_SAFE_INTEGER, (version) => {
    if (version - said < SAID_EVERY) return;
    said = version;
    say(`  ${version} records written`);
  });
  await seeded.close();

  return { runId: seeded.runId, records: made };
};

const bench = async (): Promise<void> => {
  const { url, home } = values;
  const installation =
    url !== undefined && home !== undefined ? { url, home, stop: async () => {} } : await startInstallation(Number(values.port), say);
  try {
    const browser = await launch();
    const context = await browser.newContext({ baseURL: installation.url, viewport: VIEW });
    const page = await context.newPage();
    await signIn(page);
    const seeded = values.run === undefined ? await seedLong(installation.home) : { runId: values.run, records };
    const measured = await measureRun(page, seeded, Number(values.opens), say);
    await browser.close();
    process.stdout.write(values.json ? `${JSON.stringify({ measured, ok: isWithin(measured) })}\n` : `${reportOf(measured)}\n`);
    process.exitCode = isWithin(measured) ? 0 : 1;
  } finally {
    await installation.stop();
  }
};

if (![records, Number(values.opens), Number(values.port)].every((number) => Number.isSafeInteger(number) && number >= 1)) {
  process.stderr.write("usage: npm run bench:runs -- [--records N] [--opens N] [--seed S] [--port P] [--json]\n");
  process.exitCode = 1;
} else await (values.into === undefined ? bench() : writeInto(values.into));
