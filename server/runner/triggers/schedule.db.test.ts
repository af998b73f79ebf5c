import { beforeAll, describe, expect, it, test } from "vitest";
import { triggerSchema, type Trigger } from "@/lib/graph/triggers/trigger";
import { systemClock } from "@/server/clock";
import { asAdmin } from "@/server/mcp/testing/registered";
import {
  driveOn,
  listEvents,
  listRefusals,
  listRuns,
  look,
  openTriggerWorld,
  publishOrders,
  readRun,
  type TriggerWorld,
} from "@/server/runner/testing/triggers";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { catchUpWithClock } from "./schedule";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const urls = await testDatabase("runner");
let world: TriggerWorld;
let offsetMs = 0;

beforeAll(async () => {
  world = await openTriggerWorld(urls, () => systemClock.now() + offsetMs);
});

const hourly = (change: object = {}): Trigger =>
  triggerSchema.parse({ id: "hourly", kind: "schedule", cron: "0 * * * *", inputs: { order: "event.at" }, ...change });

const nextHour = (ms: number): number => Math.floor(ms / HOUR_MS + 1) * HOUR_MS;
const text = (ms: number): string => new Date(ms).toISOString();

const lookAt = async (ms: number): Promise<void> => {
  offsetMs = ms - systemClock.now();
  await catchUpWithClock(world.deps);
  await look(world);
};

const times = async (graphId: string) => (await listEvents(world, graphId)).map(({ event_id: at, status, code }) => [at, code ?? status]);

const inOrder = async (graphId: string) => (await times(graphId)).toSorted(([a], [b]) => String(a).localeCompare(String(b)));

const publish = async (trigger: Trigger) => {
  offsetMs = 0;
  const { graphId, id } = await publishOrders(world, [trigger]);

  return { graphId, id, first: nextHour(systemClock.now()) };
};

describe("a schedule", () => {
  it("starts one run at its time, of trusted inputs, and none before", async () => {
    const { graphId, first } = await publish(hourly());
    await lookAt(first - 1_000);
    expect(await listRuns(world, graphId)).toEqual([]);
    await lookAt(first + 100);
    await look(world);
    expect(await times(graphId)).toEqual([[text(first), "started"]]);
    const [run] = await listRuns(world, graphId);
    await driveOn(world, run!.id);
    const { state } = await readRun(world, run!.id);
    expect(state.cells[0]).toMatchObject({
      path: "order",
      content: { value: text(first) },
      label: { integrity: "trusted", provenance: [`trigger:hourly/${text(first)}`] },
    });
  });

  it("starts one run when two runners look at once", async () => {
    const { graphId, first } = await publish(hourly());
    offsetMs = first + 100 - systemClock.now();
    await Promise.all([look(world), look(world), look(world)]);
    await look(world);
    expect(await listRuns(world, graphId)).toHaveLength(1);
    expect(await listRefusals(world, graphId)).toEqual([]);
  });

  it("is late by its jitter, which is no missed time", async () => {
    const { graphId, first } = await publish(hourly({ jitter_ms: 50 * MINUTE_MS }));
    await lookAt(first + 100);
    expect(await listRuns(world, graphId)).toEqual([]);
    await lookAt(first + 50 * MINUTE_MS + 100);
    const all = await times(graphId);
    expect(all.map(([at]) => at)).toEqual([text(first)]);
  });
});

describe("times that passed while nothing ran", () => {
  it("are skipped on record, and the next is served", async () => {
    const { graphId, first } = await publish(hourly({ concurrency: "queue" }));
    await lookAt(first + 3 * HOUR_MS + 10 * MINUTE_MS);
    expect(await times(graphId)).toEqual([[text(first), "trigger_missed"]]);
    expect((await listRefusals(world, graphId)).map(({ refusal }) => refusal?.ids.slice(2))).toEqual([
      [text(first), text(first + 3 * HOUR_MS)],
    ]);
    await lookAt(first + 4 * HOUR_MS + 1_000);
    expect(await times(graphId)).toEqual([
      [text(first), "trigger_missed"],
      [text(first + 4 * HOUR_MS), "started"],
    ]);
  });

  it("are skipped but for the one that is due now", async () => {
    const { graphId, first } = await publish(hourly());
    await lookAt(first + 3 * HOUR_MS + 1_000);
    expect(await inOrder(graphId)).toEqual([
      [text(first), "trigger_missed"],
      [text(first + 3 * HOUR_MS), "started"],
    ]);
  });

  it("are made up for by one run if the trigger says so", async () => {
    const { graphId, first } = await publish(hourly({ missed: "run_once" }));
    await lookAt(first + 3 * HOUR_MS + 10 * MINUTE_MS);
    await look(world);
    expect(await times(graphId)).toEqual([[text(first + 3 * HOUR_MS), "started"]]);
    expect(await listRefusals(world, graphId)).toEqual([]);
  });
});

test("a clock put forward and back neither loses nor doubles a run", async () => {
  const { graphId, first } = await publish(hourly({ missed: "run_once", concurrency: "queue" }));
  await lookAt(first + 100);
  const ahead = nextHour(first + 365 * 24 * HOUR_MS);
  await lookAt(ahead + 100);
  await lookAt(first + 5 * MINUTE_MS);
  await lookAt(first + HOUR_MS + 100);
  await lookAt(first - HOUR_MS);
  await lookAt(first + 200);
  await lookAt(first + HOUR_MS + 200);
  await lookAt(first + 2 * HOUR_MS + 200);
  const served = (await inOrder(graphId)).map(([at]) => at);
  expect(served).toEqual([text(first), text(first + HOUR_MS), text(first + 2 * HOUR_MS), text(ahead)]);
  expect(await listRefusals(world, graphId)).toEqual([]);
});

test("an unchanged schedule keeps its next time over a new version, and a removed one ends", async () => {
  const { graphId, id, first } = await publish(hourly());
  const [before] = await asRows(graphId);
  await asAdmin(urls.admin, "update graph_trigger set next_at = $2, due_at = $2 where graph_id = $1", [graphId, text(first - HOUR_MS)]);
  await publishOrders(world, [hourly()], { graphId, id, change: { description: "Again" } });
  expect(await asRows(graphId)).toEqual([text(first - HOUR_MS)]);
  await publishOrders(world, [hourly({ cron: "0 * * * * " })], { graphId, id });
  expect(await asRows(graphId)).toEqual([before]);
  await publishOrders(world, [], { graphId, id });
  expect(await asRows(graphId)).toEqual([]);
});

const asRows = async (graphId: string): Promise<readonly string[]> => {
  const rows = await queryOn<{ next_at: Date }>(urls.admin, "select next_at from graph_trigger where graph_id = $1", [graphId]);

  return rows.map(({ next_at: at }) => at.toISOString());
};

test("a time that the version's schedule does not have starts nothing, whatever a row says", async () => {
  const { graphId, first } = await publish(hourly());
  await asAdmin(urls.admin, "update graph_trigger set next_at = $2, due_at = $2 where graph_id = $1", [
    graphId,
    text(first - 7 * MINUTE_MS),
  ]);
  offsetMs = first - 7 * MINUTE_MS + 1_000 - systemClock.now();
  await look(world);
  expect(await listRuns(world, graphId)).toEqual([]);
  expect(await times(graphId)).toEqual([[text(first - 7 * MINUTE_MS), "trigger_unavailable"]]);
});
