/** One graph in a real browser: opened, typed in, dragged. Times are milliseconds of the browser's own clock. */
import type { Page } from "@playwright/test";
import type { Commit, Probes } from "./probes";

const QUIET_MS = 500;
const DRAG_FRAMES = 40;
const STEP_PX = 8;
const TYPED = "measured while typing";

export type Opened = {
  /** Node faces in the page once it is quiet. */
  readonly mounted: number;
  readonly mountedEdges: number;
  /** From navigation to the first node that is drawn. */
  readonly drawnMs: number;
  /** From navigation to the end of the last long task before the first half second without one. */
  readonly interactiveMs: number;
  readonly worstTaskMs: number;
  /** Until problems are there. */
  readonly problemsMs: number;
};

export type Edited = {
  readonly worstTaskMs: number;
  readonly answersMs: readonly number[];
  /** From a key to what it changed on the screen. */ readonly keyMs: readonly number[];
};

export type Dragged = { readonly worstTaskMs: number; readonly commits: readonly Commit[]; readonly frameMs: readonly number[] };

const probesOf = (page: Page): Promise<Probes> => page.evaluate(() => globalThis.benchProbes);

/** Nothing has held the page up for half a second. */
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

/** @param url of the editor */
export const open = async (page: Page, url: string): Promise<Opened> => {
  await page.goto(url, { waitUntil: "commit" });
  await page.locator(".react-flow__node").first().waitFor();
  await page.waitForFunction(() => globalThis.benchProbes.answers.length > 0);
  await settle(page);
  const probes = await probesOf(page);
  const drawnMs = probes.drawnAt ?? Number.NaN;
  const [answer] = probes.answers;
  const ends = [...probes.longTasks.map(({ start, ms }) => ({ start, end: start + ms })), { start: drawnMs, end: drawnMs }];
  // A task after a quiet while is not part of opening any more.
  const interactiveMs = ends
    .toSorted((a, b) => a.start - b.start)
    .reduce((at, { start, end }) => (start - at > QUIET_MS && at >= drawnMs ? at : Math.max(at, end)), 0);

  return {
    mounted: await page.locator(".react-flow__node").count(),
    mountedEdges: await page.locator(".react-flow__edge").count(),
    drawnMs,
    interactiveMs,
    worstTaskMs: worstSince(probes, 0),
    problemsMs: answer ? answer.start + answer.ms : Number.NaN,
  };
};

/** Types into the title of a node, a letter at a time as a person does. */
export const type = async (page: Page, node: string): Promise<Edited> => {
  await page.locator(`.react-flow__node[data-id="${node}"]`).click();
  const field = page.getByLabel("Title", { exact: true });
  await field.fill("");
  await settle(page);
  const start = await now(page);
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
    answersMs: probes.answers.filter((answer) => answer.start >= start).map(({ ms }) => ms),
    keyMs: probes.keys.slice(typed),
  };
};

/** Drags a node that is selected already a little way, a step for each frame. The first and the last step are a click's and a drop's. */
export const drag = async (page: Page, node: string): Promise<Dragged> => {
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
  for (let step = 1; step <= DRAG_FRAMES; step += 1) {
    // To and fro, so that the view stays where it is.
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
  await page.mouse.up();
  await settle(page);

  return { worstTaskMs: worstSince(await probesOf(page), start), commits, frameMs };
};
