/** Web process's procedures against the floor. */
import { closeDatabase, useDatabase } from "@/server/db/client";
import { closeConnections } from "@/server/testing/connections";
import { callerAs } from "@/server/testing/caller";
import { inboxFilterSchema } from "@/lib/engine/approvals/inbox";
import { seedRun } from "@/bench/runs/seed";
import { median, quantile } from "@/bench/report";
import { must } from "@/bench/section";
import { openFloor, type Floor } from "./floor";
import { orderSchema, type ListReads, type Order, type Read, type RunReads } from "./order";
import { freshPlace } from "./place";
import { fillLists } from "./rows";

const PAGE = 500;
const LISTED = 50;
const LISTED_APPROVALS = 200;
const WARM_READS = 3;
const BEGAN_AT = Date.UTC(2026, 0, 5, 9);

type Caller = ReturnType<typeof callerAs>;

const taken = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();

  return performance.now() - startedAt;
};

type Written = { readonly run: string; readonly records: number };

const readState = async (caller: Caller, floor: Floor, run: string, seq: number, repeats: number) => {
  const ours = async () => must((await caller.runs.state({ runId: run, seq })).run_id === run, "that is another run's state");
  const first = await taken(ours);
  const [again, below, checked]: [number[], number[], number[]] = [[], [], []];
  // Alternating, so that load affects all alike.
  while (again.length < repeats) {
    again.push(await taken(ours));
    below.push(await taken(() => floor.stateAt(run, seq)));
    checked.push(await taken(async () => must((await floor.checkedStateAt(run, seq)).areSigned, "a record is not signed")));
  }

  return { first, again: median(again), floor: median(below), checked: median(checked) };
};

const readPage = async (caller: Caller, floor: Floor, { run, records }: Written, repeats: number) => {
  const after = Math.max(-1, Math.floor(records / 2) - PAGE);
  const [ours, below]: [number[], number[]] = [[], []];
  while (ours.length < repeats) {
    ours.push(await taken(() => caller.runs.records({ runId: run, afterSeq: after, limit: PAGE })));
    below.push(await taken(() => floor.rows(run, after, after + PAGE)));
  }

  return { ours: median(ours), floor: median(below) };
};

const inTurns = async (repeats: number, work: () => Promise<unknown>, least: () => Promise<unknown>) => {
  const [ours, below]: [number[], number[]] = [[], []];
  await work();
  await least();
  while (ours.length < repeats) {
    ours.push(await taken(work));
    below.push(await taken(least));
  }

  return { p50: median(ours), p95: quantile(ours, 0.95), floor: median(below) };
};

const readLists = async (caller: Caller, floor: Floor, graph: string, repeats: number): Promise<ListReads[]> => {
  let middle: string | null = null;
  for (let page = 0; page < 20; page += 1) middle = (await caller.runs.list({ cursor: middle, limit: 100 })).nextCursor ?? middle;
  const first = await caller.runs.list({ limit: LISTED });
  const filter = inboxFilterSchema.parse({});
  const queue = await caller.approvals.queue({ filter });
  const ids = first.runs.map(({ id }) => id);
  const since = `${first.runs[0]?.createdAt ?? 0}.${ids[0] ?? ""}`;
  const runs = () => floor.runs(new Date(Date.now() - 86_400_000), LISTED);
  const page = () => floor.approvals(LISTED_APPROVALS);
  const counts = () => floor.approvalsByClass();
  const works: readonly (readonly [string, () => Promise<unknown>, () => Promise<unknown>])[] = [
    ["runs: first page", runs, () => caller.runs.list({ limit: LISTED })],
    ["runs: page after 2,000", runs, () => caller.runs.list({ cursor: middle, limit: LISTED })],
    ["runs: of a graph", runs, () => caller.runs.list({ graphId: graph, limit: LISTED })],
    ["runs: that failed", runs, () => caller.runs.list({ status: "failed", limit: LISTED })],
    ["runs: that wait for people", runs, () => caller.runs.list({ waiting: true, limit: LISTED })],
    ["runs: by a text", runs, () => caller.runs.list({ text: "Graph 7", limit: LISTED })],
    ["runs: changes", runs, () => caller.runs.now({ ids, since })],
    ["approvals: first page, with counts", async () => [await page(), await counts()], () => caller.approvals.queue({ filter })],
    ["approvals: next page", page, () => caller.approvals.queue({ filter, sinceMs: queue.nowMs, cursor: queue.nextCursor })],
    ["approvals: how many wait", counts, () => caller.approvals.count()],
  ];
  const found: ListReads[] = [];
  for (const [name, least, work] of works) found.push({ name, ...(await inTurns(repeats, work, least)) });

  return found;
};

const readAll = async (order: Order): Promise<Read> => {
  const place = await freshPlace(order.urls, order.home);
  const written: Written[] = [];
  for (const [index, size] of order.sizes.entries()) {
    const seeded = await seedRun(place, { seed: `reads ${index}`, records: size, startedAt: BEGAN_AT });
    written.push({ run: seeded.runId, records: await seeded.goOnTo(Number.MAX_SAFE_INTEGER) });
    await seeded.close();
  }
  const graph = await fillLists(place, order.runs, order.waiting);
  await useDatabase(order.urls.web);
  const { workspace } = place.builder;
  const caller = callerAs(workspace, "builder", { id: place.builder.id });
  const floor = await openFloor(order.urls.runner, workspace, place.vault);
  const runs: RunReads[] = [];
  // Warm-up.
  const [warm] = written;
  if (warm) await readState(caller, floor, warm.run, warm.records - 1, WARM_READS);
  for (const one of written.slice(1)) {
    // It makes the others known.
    const last = await readState(caller, floor, one.run, one.records - 1, order.repeats);
    const { again, floor: below } = await readState(caller, floor, one.run, Math.floor(one.records / 2), order.repeats);
    runs.push({ records: one.records, last, middle: { again, floor: below }, page: await readPage(caller, floor, one, order.repeats) });
  }
  const lists = await readLists(callerAs(workspace, "reviewer", { id: place.reviewer.id }), floor, graph, order.repeats * 6);
  await floor.close();
  await closeConnections();
  await closeDatabase();

  return { runs, lists };
};

export const measureReads = (text: string): Promise<Read> => readAll(orderSchema.parse(JSON.parse(text)));
