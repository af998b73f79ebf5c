/** Times in ms of the browser's clock. */
import type { CDPSession, Page } from "@playwright/test";
import type { Commit, Probes } from "./probes";

const QUIET_MS = 500;
const DRAG_FRAMES = 40;
const STEP_PX = 8;
const TYPED = "measured while typing";

export type Desk = { readonly page: Page; readonly session: CDPSession };

export const deskOf = async (page: Page): Promise<Desk> => {
  const session = await page.context().newCDPSession(page);
  // Busy machines distort processor time less than wall time.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });

  return { page, session };
};

const workedMs = async ({ session }: Desk): Promise<number> => {
  const { metrics } = await session.send("Performance.getMetrics");

  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
};

export type Opened = {
  readonly mounted: number;
  readonly mountedEdges: number;
  /** Navigation to the first drawn node. */
  readonly drawnMs: number;
  /** Last long task before half a second without one. */
  readonly interactiveMs: number;
  readonly worstTaskMs: number;
  readonly workMs: number;
  readonly problemsMs: number;
};

export type Edited = {
  readonly worstTaskMs: number;
  /** Per key. */
  readonly workMs: number;
  readonly answersMs: readonly number[];
  readonly keyMs: readonly number[];
};

export type Dragged = {
  readonly worstTaskMs: number;
  /** Per frame. */ readonly workMs: number;
  readonly commits: readonly Commit[];
  readonly frameMs: readonly number[];
};

const probesOf = (page: Page): Promise<Probes> => page.evaluate(() => globalThis.benchProbes);

/** Half a second without a long task. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(
    (quietMs) =>
      new Promise<void>((resolve) => {
        const started = performance.now();
        const look = () => {
          const last = globalThis.benchProbes.longTasks.at(-1);
          const since = Math.max(started, last ? last.start + last.ms : 0);
          if (performance.now() - since > quietMs) resolve();
          else setTimeout(look, quietMs / 5);
        };
        look();
      }),
    QUIET_MS,
  );

const now = (page: Page): Promise<number> => page.evaluate(() => performance.now());

const worstSince = ({ longTasks }: Probes, start: number): number =>
  Math.max(0, ...longTasks.filter((task) => task.start >= start).map(({ ms }) => ms));

export const open = async (desk: Desk, url: string): Promise<Opened> => {
  const { page } = desk;
  await page.goto(url, { waitUntil: "commit" });
  await page.locator(".react-flow__node").first().waitFor();
  await page.waitForFunction(() => globalThis.benchProbes.answers.length > 0);
  await settle(page);
  const probes = await probesOf(page);
  const drawnMs = probes.drawnAt ?? Number.NaN;
  const [answer] = probes.answers;
  const ends = [...probes.longTasks.map(({ start, ms }) => ({ start, end: start + ms })), { start: drawnMs, end: drawnMs }];
  // A task after a quiet phase does not count as opening.
  const interactiveMs = ends
    .toSorted((a, b) => a.start - b.start)
    .reduce((at, { start, end }) => (start - at > QUIET_MS && at >= drawnMs ? at : Math.max(at, end)), 0);

  return {
    mounted: await page.locator(".react-flow__node").count(),
    mountedEdges: await page.locator(".react-flow__edge").count(),
    drawnMs,
    interactiveMs,
    worstTaskMs: worstSince(probes, 0),
    workMs: await workedMs(desk),
    problemsMs: answer ? answer.start + answer.ms : Number.NaN,
  };
};

export const type = async (desk: Desk, node: string): Promise<Edited> => {
  const { page } = desk;
  await page.locator(`.react-flow__node[data-id="${node}"]`).click();
  const field = page.getByLabel("Title", { exact: true });
  await field.fill("");
  await settle(page);
  const start = await now(page);
  const worked = await workedMs(desk);
  await field.focus();
  const typed = (await probesOf(page)).keys.length;
  for (const [index, letter] of Array.from(TYPED).entries()) {
    await page.keyboard.press(letter === " " ? "Space" : letter);
    await page.waitForFunction((count) => globalThis.benchProbes.keys.length >= count, typed + index + 1);
  }
  await field.blur();
  await settle(page);
  const probes = await probesOf(page);

  return {
    worstTaskMs: worstSince(probes, start),
    workMs: ((await workedMs(desk)) - worked) / TYPED.length,
    answersMs: probes.answers.filter((answer) => answer.start >= start).map(({ ms }) => ms),
    keyMs: probes.keys.slice(typed),
  };
};

/** First step: click; last: drop. */
export const drag = async (desk: Desk, node: string): Promise<Dragged> => {
  const { page } = desk;
  const face = page.locator(`.react-flow__node[data-id="${node}"]`);
  await face.click();
  await settle(page);
  const box = await face.boundingBox();
  if (!box) throw new Error("the node is not in view");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const start = await now(page);
  const commits: Commit[] = [];
  const frameMs: number[] = [];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const worked = await workedMs(desk);
  for (let step = 1; step <= DRAG_FRAMES; step += 1) {
    // Keeps the view.
    const by = STEP_PX * (step <= DRAG_FRAMES / 2 ? step : DRAG_FRAMES - step);
    const from = await page.evaluate(() => globalThis.benchProbes.commits.length);
    const before = await now(page);
    await page.mouse.move(x + by, y + by / 2);
    const after = await page.evaluate(
      () => new Promise<number>((resolve) => void requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))),
    );
    const frame = (await probesOf(page)).commits.slice(from);
    if (step < 3) continue;
    frameMs.push(after - before);
    commits.push(
      frame.reduce(
        (sum, commit) => ({ drawn: sum.drawn + commit.drawn, inside: sum.inside + commit.inside, outside: sum.outside + commit.outside }),
        {
          drawn: 0,
          inside: 0,
          outside: 0,
        },
      ),
    );
  }
  const workMs = ((await workedMs(desk)) - worked) / DRAG_FRAMES;
  await page.mouse.up();
  await settle(page);

  return { workMs, worstTaskMs: worstSince(await probesOf(page), start), commits, frameMs };
};
