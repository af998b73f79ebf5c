/** Times in ms of the browser's clock. */
import type { Page } from "@playwright/test";

export type Opened = {
  readonly rowsMs: number;
  readonly stateMs: number;
  readonly wholeMs: number;
  readonly worstTaskMs: number;
};

export type Measured = {
  readonly records: number;
  readonly opened: readonly Opened[];
  readonly deep: readonly Opened[];
  readonly jumpMs: readonly number[];
  readonly stepMs: readonly number[];
  readonly scrollWorstTaskMs: number;
  readonly playWorstTaskMs: number;
  readonly mountedRows: number;
  readonly heapMb: number;
  /** With fetching, and from the last record. */
  readonly verifyMs: number;
  readonly checkMs: number;
  readonly verifyProgress: number;
};

type Probes = {
  readonly longTasks: { readonly start: number; readonly ms: number }[];
  rowsAt: number | null;
  stateAt: number | null;
  wholeAt: number | null;
};

declare global {
  var runProbes: Probes;
  var stepMs: number | null;
}

/** Runs in the page; uses nothing from outside. */
const installProbes = (): void => {
  const probes: Probes = { longTasks: [], rowsAt: null, stateAt: null, wholeAt: null };
  globalThis.runProbes = probes;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) probes.longTasks.push({ start: entry.startTime, ms: entry.duration });
  }).observe({ type: "longtask", buffered: true });
  const look = (): void => {
    const now = performance.now();
    const row = document.querySelector("[role='option'][data-marker]");
    const state = document.querySelector("section[aria-label^='State after record'] li");
    const isWhole = [...document.querySelectorAll("output")].some(({ textContent }) => textContent === "All records");
    if (row) probes.rowsAt ??= now;
    if (state) probes.stateAt ??= now;
    if (isWhole) probes.wholeAt ??= now;
    if (probes.wholeAt === null) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};

const JUMPS = 12;
const STEPS = 30;
const WHEELS = 40;
const WHEEL_PX = 900;
const PLAY_MS = 3_000;

const open = async (page: Page, path: string): Promise<Opened> => {
  await page.goto(path, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.runProbes?.wholeAt !== null);
  const { rowsAt, stateAt, wholeAt, longTasks } = await page.evaluate(() => globalThis.runProbes);

  return {
    rowsMs: rowsAt ?? Number.NaN,
    stateMs: stateAt ?? Number.NaN,
    wholeMs: wholeAt ?? Number.NaN,
    worstTaskMs: Math.max(0, ...longTasks.map(({ ms }) => ms)),
  };
};

const now = (page: Page): Promise<number> => page.evaluate(() => performance.now());

const worstSince = (page: Page, start: number): Promise<number> =>
  page.evaluate((from) => Math.max(0, ...globalThis.runProbes.longTasks.filter((task) => task.start >= from).map(({ ms }) => ms)), start);

const jump = (page: Page, share: number): Promise<number> =>
  page.evaluate(
    (to) =>
      new Promise<number>((resolve) => {
        const strip = document.querySelector<HTMLElement>("[role='slider'][aria-label='Record']");
        if (!strip) throw new Error("there is no strip");
        const { left, width, top } = strip.getBoundingClientRect();
        const at = { clientX: left + width * to, clientY: top + 4, bubbles: true, pointerId: 1, button: 0 };
        const before = strip.getAttribute("aria-valuenow");
        // Synthetic pointers cannot be captured.
        strip.setPointerCapture = () => undefined;
        const start = performance.now();
        strip.dispatchEvent(new PointerEvent("pointerdown", at));
        strip.dispatchEvent(new PointerEvent("pointerup", at));
        const look = (): void => {
          const seq = strip.getAttribute("aria-valuenow");
          const pane = document.querySelector(`section[aria-label='State after record ${seq}'] li`);
          const row = document.querySelector("[role='option'][aria-selected='true']");
          if (seq !== before && pane && row) resolve(performance.now() - start);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    share,
  );

const step = async (page: Page): Promise<number> => {
  // The key may overtake a concurrent evaluation, so it waits for the page.
  await page.evaluate(() => {
    const seqOf = () => document.querySelector("[role='slider'][aria-label='Record']")?.getAttribute("aria-valuenow");
    const before = seqOf();
    globalThis.stepMs = null;
    document.addEventListener(
      "keydown",
      () => {
        const start = performance.now();
        const look = (): void => {
          if (seqOf() !== before) setTimeout(() => (globalThis.stepMs = performance.now() - start));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { once: true, capture: true },
    );
  });
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => globalThis.stepMs !== null);

  return page.evaluate(() => globalThis.stepMs ?? Number.NaN);
};

const verify = async (page: Page): Promise<{ ms: number; checkMs: number; progress: number }> => {
  const start = await now(page);
  const seen = page.evaluate(
    () =>
      new Promise<{ at: number; checkedFrom: number; progress: number }>((resolve) => {
        const texts = new Set<string>();
        let checkedFrom: number | null = null;
        const look = (): void => {
          const dialog = document.querySelector("[role='dialog']");
          const text = dialog?.querySelector("output")?.textContent;
          if (text) texts.add(text);
          if (text?.startsWith("Check")) checkedFrom ??= performance.now();
          if (dialog?.textContent.includes("Ledger verified") || dialog?.textContent.includes("is invalid"))
            resolve({ at: performance.now(), checkedFrom: checkedFrom ?? Number.NaN, progress: texts.size });
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  const { at, checkedFrom, progress } = await seen;
  await page.keyboard.press("Escape");

  return { ms: at - start, checkMs: at - checkedFrom, progress };
};

type Seeded = { readonly runId: string; readonly records: number };

export const measureRun = async (page: Page, { runId, records }: Seeded, opens: number, say: (line: string) => void): Promise<Measured> => {
  await page.addInitScript(installProbes);
  const path = `/runs/${runId}`;
  // Fills the browser's code cache.
  await open(page, path);
  const [opened, deep]: [Opened[], Opened[]] = [[], []];
  while (opened.length < opens) {
    opened.push(await open(page, path));
    deep.push(await open(page, `${path}?t=${Math.floor(records / 2)}`));
    say(`  opened ${opened.length} of ${opens}: first rows after ${Math.round(opened.at(-1)?.rowsMs ?? 0)} ms`);
  }
  const jumpMs: number[] = [];
  for (let index = 1; index <= JUMPS; index += 1) jumpMs.push(await jump(page, (index * 0.37) % 1));
  say("  jumped");
  const stepMs: number[] = [];
  for (let index = 0; index < STEPS; index += 1) stepMs.push(await step(page));
  say("  stepped");
  await page.getByRole("listbox", { name: "Records" }).hover();
  const scrolledAt = await now(page);
  for (let index = 0; index < WHEELS; index += 1) {
    await page.mouse.wheel(0, index < WHEELS / 2 ? WHEEL_PX : -WHEEL_PX);
    await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(resolve)));
  }
  const scrollWorstTaskMs = await worstSince(page, scrolledAt);
  say("  scrolled");
  await page.getByRole("button", { name: "16×" }).click();
  const playedAt = await now(page);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForTimeout(PLAY_MS);
  await page.getByRole("button", { name: "Pause" }).click();
  const playWorstTaskMs = await worstSince(page, playedAt);
  say("  played");
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const mountedRows = await page.getByRole("listbox", { name: "Records" }).getByRole("option").count();
  const verified = await verify(page);
  say("  verified");

  return {
    records,
    opened,
    deep,
    jumpMs,
    stepMs,
    scrollWorstTaskMs,
    playWorstTaskMs,
    mountedRows,
    heapMb: usedSize / 1_048_576,
    verifyMs: verified.ms,
    checkMs: verified.checkMs,
    verifyProgress: verified.progress,
  };
};
