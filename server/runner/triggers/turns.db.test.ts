import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it, test } from "vitest";
import { triggerSchema } from "@/lib/graph/triggers/trigger";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openRun } from "@/server/runner/open-run";
import { whileMoving } from "@/server/runner/testing/recorded";
import {
  arrive,
  driveOn,
  listEvents,
  listRefusals,
  listRuns,
  look,
  openTriggerWorld,
  publishOrders,
  readRun,
  shopHook,
  sign,
  type TriggerWorld,
} from "@/server/runner/testing/triggers";
import { releaseLease } from "@/server/store/ledger/run-heads";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
let world: TriggerWorld;

beforeAll(async () => {
  world = await openTriggerWorld(urls);
});

const send = async (graphId: string, order: string): Promise<void> => {
  const body = JSON.stringify({ order });
  await arrive(world, graphId, { body, headers: sign(body, { id: `msg_${order}` }) });
  await look(world);
};

const end = async (runId: string, comment?: string): Promise<void> => {
  const opened = await openRun(world.deps, world.workspace, runId);
  if (!opened) throw new Error("not opened");
  const { session, lease } = opened;
  await session.submit({ principal: { type: "engine", epoch: session.epoch }, body: { kind: "stop", limit: "idle_limit" } });
  const principal = { type: "user", id: world.reviewer, role: "admin", auditor: false } as const;
  await session.submit({ principal, body: { kind: "cancel" } });
  if (comment !== undefined) await session.submit({ principal, body: { kind: "comment", text: comment } });
  lease.end();
  await releaseLease(world.workspace, runId, session.epoch);
};

const summary = async (graphId: string) => (await listEvents(world, graphId)).map(({ event_id: id, status, code }) => [id, code ?? status]);

describe("while a run of the trigger is under way, a further event", () => {
  it("waits for its end, in order", async () => {
    const { graphId } = await publishOrders(world, [shopHook()]);
    for (const order of ["A", "B", "C"]) await send(graphId, order);
    expect(await summary(graphId)).toEqual([
      ["msg_A", "started"],
      ["msg_B", "queued"],
      ["msg_C", "queued"],
    ]);
    const [first] = await listRuns(world, graphId);
    await end(first!.id);
    await look(world);
    await look(world);
    expect(await summary(graphId)).toEqual([
      ["msg_A", "started"],
      ["msg_B", "started"],
      ["msg_C", "queued"],
    ]);
    const runs = await listRuns(world, graphId);
    expect(runs).toHaveLength(2);
    const { state } = await readRun(world, runs[1]!.id);
    expect(state.cells[0]).toMatchObject({ path: "order", content: { value: "B" } });
  });

  it("is dropped on record, and stays dropped when it comes again", async () => {
    const { graphId } = await publishOrders(world, [shopHook({ concurrency: "drop" })]);
    for (const order of ["A", "B"]) await send(graphId, order);
    expect(await summary(graphId)).toEqual([
      ["msg_A", "started"],
      ["msg_B", "trigger_busy"],
    ]);
    const [run] = await listRuns(world, graphId);
    await end(run!.id);
    await send(graphId, "B");
    expect((await listRefusals(world, graphId)).map(({ refusal }) => refusal?.code)).toEqual(["trigger_busy", "trigger_duplicate"]);
    expect(await listRuns(world, graphId)).toHaveLength(1);
    await send(graphId, "C");
    expect(await listRuns(world, graphId)).toHaveLength(2);
  });

  it("replaces a run that waits, and the event that waited before it", async () => {
    const { graphId } = await publishOrders(world, [shopHook({ concurrency: "replace" })]);
    await send(graphId, "A");
    const [first] = await listRuns(world, graphId);
    const working = await openRun(world.deps, world.workspace, first!.id);
    for (const order of ["B", "C"]) await send(graphId, order);
    expect(await summary(graphId)).toEqual([
      ["msg_A", "started"],
      ["msg_B", "trigger_busy"],
      ["msg_C", "queued"],
    ]);
    expect((await readRun(world, first!.id)).state.status).toBe("scheduled");
    working!.lease.end();
    await releaseLease(world.workspace, first!.id, working!.session.epoch);
    await driveOn(world, first!.id);
    await look(world);
    await look(world);
    expect(await summary(graphId)).toContainEqual(["msg_C", "started"]);
    const { state, records } = await readRun(world, first!.id);
    expect(state.status).toBe("cancelled");
    expect(records.at(-1)?.record.principal).toMatchObject({ type: "trigger", trigger: "shop", event: "msg_C" });
    expect(await listRuns(world, graphId)).toHaveLength(2);
  });
});

test("another trigger of the graph neither waits for a run nor ends it", async () => {
  const { graphId } = await publishOrders(world, [shopHook({ concurrency: "replace" }), shopHook({ id: "other", concurrency: "replace" })]);
  await send(graphId, "A");
  const body = '{"order":"B"}';
  await arrive(world, graphId, { body, headers: sign(body) }, "other");
  await look(world);
  expect((await listRuns(world, graphId)).map(({ status }) => status)).toEqual(["scheduled", "scheduled"]);
});

describe("the end of another graph's run", () => {
  const follow = (graphId: string, change: object = {}) =>
    triggerSchema.parse({
      id: "after",
      kind: "run_end",
      graph_id: graphId,
      inputs: { order: "event.status" },
      statuses: ["cancelled"],
      ...change,
    });

  it("starts one run with what the ended one's ledger says, although someone comments meanwhile", async () => {
    const source = await publishOrders(world, [shopHook()]);
    const follower = await publishOrders(world, [follow(source.id)]);
    const other = await publishOrders(world, [follow(source.id, { statuses: ["failed"] })]);
    await send(source.graphId, "A");
    const [run] = await listRuns(world, source.graphId);
    await end(run!.id, "A pity.");
    await whileMoving(world, run!.id, () => look(world));
    await look(world);
    const [started] = await listRuns(world, follower.graphId);
    const { state } = await readRun(world, started!.id);
    expect(state.cells[0]).toMatchObject({
      content: { value: "cancelled" },
      label: { integrity: "untrusted", provenance: [`trigger:after/${run!.id}`] },
    });
    expect(await listRuns(world, follower.graphId)).toHaveLength(1);
    expect(await listRuns(world, other.graphId)).toEqual([]);
  });

  it("is not believed from a row", async () => {
    const source = await publishOrders(world, [shopHook()]);
    const follower = await publishOrders(world, [follow(source.id)]);
    await send(source.graphId, "A");
    const [run] = await listRuns(world, source.graphId);
    await asAdmin(urls.admin, "update run set status = 'cancelled' where id = $1", [run!.id]);
    await look(world);
    expect(await listRuns(world, follower.graphId)).toEqual([]);
    expect((await listRefusals(world, follower.graphId)).map(({ refusal }) => refusal?.code)).toEqual(["trigger_unavailable"]);
  });

  it("goes on no longer than eight graphs after each other", async () => {
    const { graphId, id } = await publishOrders(world, []);
    const back = await publishOrders(world, [follow(id)]);
    await publishOrders(world, [follow(back.id), shopHook()], { graphId, id });
    await send(graphId, "A");
    for (let round = 0; round < 12; round += 1) {
      for (const one of [graphId, back.graphId])
        for (const run of await listRuns(world, one)) if (run.status === "scheduled") await end(run.id);
      await look(world);
    }
    const runs = [...(await listRuns(world, graphId)), ...(await listRuns(world, back.graphId))];
    expect(runs).toHaveLength(9);
    const codes = [...(await listRefusals(world, graphId)), ...(await listRefusals(world, back.graphId))].map(
      ({ refusal }) => refusal?.code,
    );
    expect(codes).toEqual(["trigger_chain"]);
  });

  it("of a simulated fork starts nothing", async () => {
    const source = await publishOrders(world, []);
    const follower = await publishOrders(world, [follow(source.id)]);
    const run = randomUUID();
    await asAdmin(
      urls.admin,
      `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, simulated, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'running', 0, '', true, now(), now())`,
      [world.workspace, run, source.graphId, source.hash, world.publisher],
    );
    await asAdmin(urls.admin, "update run set status = 'cancelled' where id = $1", [run]);
    expect(await listEvents(world, follower.graphId)).toEqual([]);
  });
});
