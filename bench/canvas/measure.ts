/** Times in ms of the browser's clock. */
import type { CDPSession, Page } from "@playwright/test";
import { LAYOUT_MEASURES } from "@/components/canvas/flow/geometry";
import type { Commit, Probes } from "./probes";

const QUIET_MS = 500;
const DRAG_FRAMES = 40;
const STEP_PX = 8;
const PAN_MOVES = 240;
const PAN_STEP_PX = 6;
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

export type Panned = {
  readonly mounted: number;
  /** While the pointer moved. */
  readonly framesPerSecond: number;
  readonly frameMs: readonly number[];
  readonly worstTaskMs: number;
};

/** A place where a drag pans. */
const emptySpot = (page: Page): Promise<{ readonly x: number; readonly y: number } | null> =>
  page.evaluate(() => {
    const pane = document.querySelector(".react-flow__pane")?.getBoundingClientRect();
    if (!pane) return null;
    const spots = Array.from({ length: 40 * 40 }, (_, index) => ({
      x: pane.left + pane.width * (0.3 + (0.4 * (index % 40)) / 40),
      y: pane.top + pane.height * (0.3 + (0.4 * Math.floor(index / 40)) / 40),
    }));

    return spots.find(({ x, y }) => document.elementFromPoint(x, y)?.classList.contains("react-flow__pane")) ?? null;
  });

const pan = async ({ page }: Desk): Promise<Panned> => {
  await settle(page);
  const spot = await emptySpot(page);
  if (!spot) throw new Error("no empty place is in view");
  const mounted = await page.locator(".react-flow__node").count();
  await page.mouse.move(spot.x, spot.y);
  await page.mouse.down();
  const start = await now(page);
  await page.evaluate(() => {
    const frames: number[] = [];
    Object.assign(globalThis, { benchFrames: frames });
    const note = (at: number) => {
      frames.push(at);
      if (frames.length < 100_000) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  for (let move = 1; move <= PAN_MOVES; move += 1) {
    const away = PAN_STEP_PX * (move <= PAN_MOVES / 2 ? move : PAN_MOVES - move);
    await page.mouse.move(spot.x - away / 2, spot.y - away / 4);
  }
  const frames = await page.evaluate(() => (globalThis as unknown as { benchFrames: number[] }).benchFrames);
  await page.mouse.up();
  await settle(page);
  const spentMs = (frames.at(-1) ?? 0) - (frames[0] ?? 0);

  return {
    mounted,
    framesPerSecond: ((frames.length - 1) * 1_000) / spentMs,
    frameMs: frames.slice(1).map((at, index) => at - (frames[index] ?? at)),
    worstTaskMs: worstSince(await probesOf(page), start),
  };
};

export type Placed = {
  /** From the click to the first drawn node. */
  readonly importedMs: number;
  readonly overlaps: number;
  readonly rows: number;
  /** Of the first view, where titles are read. */
  readonly zoom: number;
  readonly readable: Panned;
  /** After "Fit view". */
  readonly whole: Panned;
};

const getZoom = (page: Page): Promise<number> =>
  page.locator(".react-flow__viewport").evaluate((viewport) => new DOMMatrix(getComputedStyle(viewport).transform).a);

/** Imports a file without positions and pans. */
export const importUnplaced = async (desk: Desk, origin: string, text: string): Promise<Placed> => {
  const { page } = desk;
  await page.goto(new URL("/graphs", origin).href);
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByLabel("JSON or YAML").fill(text);
  const create = page.getByRole("button", { name: "Create new graph" });
  await page.locator("button:not([aria-disabled])").filter({ hasText: "Create new graph" }).waitFor();
  const start = Date.now();
  await create.click();
  await page.locator(".react-flow__node").first().waitFor();
  const importedMs = Date.now() - start;
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const { result } = (await (
    await page.request.get(`/api/trpc/graphs.get?input=${encodeURIComponent(JSON.stringify({ id }))}`)
  ).json()) as {
    result: { data: { document: { nodes: readonly { position: { x: number; y: number } }[] } } };
  };
  const spots = result.data.document.nodes.map(({ position }) => position);
  const { widthPx, heightPx } = LAYOUT_MEASURES.size;
  const overlaps = spots.filter(({ x, y }, index) =>
    spots.some((other, at) => at < index && Math.abs(other.x - x) < widthPx && Math.abs(other.y - y) < heightPx),
  ).length;
  await settle(page);
  const zoom = await getZoom(page);
  const readable = await pan(desk);
  await page.getByRole("button", { name: "Fit View" }).click();
  const whole = await pan(desk);

  return { importedMs, overlaps, rows: new Set(spots.map(({ y }) => y)).size, zoom, readable, whole };
};
