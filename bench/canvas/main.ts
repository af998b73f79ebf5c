/**
 * `npm run bench:canvas -- [--opens N] [--seed S] [--port P] [--url U] [--json]`: large graphs in a real browser; 0 within budget.
 * `--url`: a running installation.
 */
import { parseArgs } from "node:util";
import { chromium, type Browser, type Page } from "@playwright/test";
import { findChromium } from "@/bin/test/chromium";
import { mutate } from "@/e2e/wire";
import type { Graph } from "@/lib/graph/document";
import { LARGE_AGENTS, largeGraph } from "@/lib/graph/testing/large";
import { startInstallation } from "./installation";
import { deskOf, drag, importUnplaced, open, type, type Desk } from "./measure";
import { installProbes } from "./probes";
import { isWithin, reportOf, type Measured } from "./report";

const SIZES = [
  { nodes: 500, edges: 750 },
  { nodes: 1_000, edges: 1_500 },
] as const;

const UNPLACED = { nodes: 500, edges: 750 } as const;
const VIEW = { width: 1440, height: 900 };
const PATIENCE_MS = 180_000;
/** Average; also visible initially. */
const DEGREE = 3;

const { values } = parseArgs({
  options: {
    opens: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    port: { type: "string", default: "3971" },
    url: { type: "string" },
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
  await openDemo.or(ready).waitFor();
  if (await openDemo.isVisible()) await openDemo.click();
  await ready.click();
  await page.getByRole("navigation").first().waitFor();
};

const saveAgents = async (page: Page): Promise<void> => {
  const { result } = (await (await page.request.get("/api/trpc/agents.list")).json()) as {
    result: { data: readonly { agent: { id: string } }[] };
  };
  const known = new Set(result.data.map(({ agent }) => agent.id));
  for (const agent of LARGE_AGENTS) if (!known.has(agent.id)) await mutate(page, "agents.save", { agent, revision: null });
};

const put = async (page: Page, document: Graph): Promise<string> => {
  const { id } = await mutate<{ id: string }>(page, "graphs.create", { name: document.name });
  await mutate(page, "graphs.save", { id, revision: 1, document });

  return id;
};

/** As a file that a program wrote. */
const withoutPositions = (document: Graph): string =>
  JSON.stringify({ ...document, id: "unplaced", name: "Unplaced", nodes: document.nodes.map(({ position: _position, ...node }) => node) });

const averageNode = async (page: Page, { edges }: Graph): Promise<string> => {
  const inView = await page.locator(".react-flow__node").evaluateAll((faces) =>
    faces.flatMap((face) => {
      const { left, right, top, bottom } = face.getBoundingClientRect();
      const pane = face.closest(".react-flow")?.getBoundingClientRect();
      const isWhole =
        pane !== undefined && left > pane.left + 20 && right < pane.right - 180 && top > pane.top + 20 && bottom < pane.bottom - 100;

      return isWhole ? [face.getAttribute("data-id") ?? ""] : [];
    }),
  );
  const found = inView.find((id) => edges.filter(({ source, target }) => source === id || target === id).length === DEGREE);
  if (found === undefined) throw new Error("no such node is in view");

  return found;
};

const measure = async (desk: Desk, document: Graph, opens: number): Promise<Measured> => {
  const { page } = desk;
  const what = `${document.nodes.length} nodes`;
  const url = new URL(`/graphs/${await put(page, document)}`, page.url()).href;
  const opened: Measured["opened"][number][] = [];
  // Fills the browser's code cache.
  await open(desk, url);
  while (opened.length < opens) {
    opened.push(await open(desk, url));
    say(`  ${what}: opened ${opened.length} of ${opens}, interactive after ${Math.round(opened.at(-1)?.interactiveMs ?? 0)} ms`);
  }
  const node = await averageNode(page, document);
  const dragged = await drag(desk, node);
  say(`  ${what}: dragged`);
  const typed = await type(desk, node);
  say(`  ${what}: typed`);

  return { nodes: document.nodes.length, edges: document.edges.length, opened, typed, dragged };
};

const main = async (): Promise<void> => {
  const [opens, seed, port] = [Number(values.opens), Number(values.seed), Number(values.port)];
  if (![opens, seed, port].every((number) => Number.isSafeInteger(number) && number >= 1)) {
    process.stderr.write("usage: npm run bench:canvas -- [--opens N] [--seed S] [--port P] [--url U] [--json]\n");
    process.exitCode = 1;

    return;
  }
  const installation = values.url === undefined ? await startInstallation(port, say) : { url: values.url, stop: async () => {} };
  try {
    const browser = await launch();
    const context = await browser.newContext({ baseURL: installation.url, viewport: VIEW });
    const page = await context.newPage();
    await signIn(page);
    await saveAgents(page);
    await page.addInitScript(installProbes);
    const desk = await deskOf(page);
    const measured: Measured[] = [];
    for (const size of SIZES) measured.push(await measure(desk, largeGraph({ seed, ...size }), opens));
    const placed = await importUnplaced(desk, installation.url, withoutPositions(largeGraph({ seed, ...UNPLACED })));
    await browser.close();
    const ok = isWithin(measured, placed);
    process.stdout.write(values.json ? `${JSON.stringify({ measured, placed, ok })}\n` : `${reportOf(measured, placed)}\n`);
    process.exitCode = ok ? 0 : 1;
  } finally {
    await installation.stop();
  }
};

await main();
