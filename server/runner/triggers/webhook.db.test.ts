import { createHmac, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it, test } from "vitest";
import { findDeciderObjection } from "@/lib/engine/decide/decider";
import { asAdmin } from "@/server/mcp/testing/registered";
import { withClient } from "@/server/db/connect";
import { testDatabase } from "@/server/testing/database";
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
  SECRET,
  shopHook,
  sign,
  type TriggerWorld,
} from "@/server/runner/testing/triggers";

const urls = await testDatabase("runner");
let world: TriggerWorld;

beforeAll(async () => {
  world = await openTriggerWorld(urls);
});

const BODY = '{"order":"A-7","more":true}';

describe("a signed event", () => {
  it("starts a run that waits for an approval, with untrusted inputs and the sealed payload", async () => {
    const { graphId } = await publishOrders(world, [shopHook()]);
    await arrive(world, graphId, { body: BODY, headers: sign(BODY, { id: "msg_first" }) });
    await look(world);
    const [event] = await listEvents(world, graphId);
    expect(event).toMatchObject({ status: "started", code: null, event_id: "msg_first", size: 0 });
    await driveOn(world, event!.run_id!);
    const { state, records } = await readRun(world, event!.run_id!);
    expect(state.status).toBe("waiting");
    expect(records[0]?.record.principal).toEqual({
      type: "trigger",
      trigger: "shop",
      event: "msg_first",
      publisher: world.publisher,
      integrity: "untrusted",
    });
    const label = { integrity: "untrusted", confidentiality: "internal", provenance: ["trigger:shop/msg_first"] };
    expect(state.cells.map(({ path, content, label: own }) => [path, content, own])).toEqual([
      ["order", { known: true, value: "A-7" }, label],
    ]);
    expect(state.aside.find(({ path }) => path === "$event")).toMatchObject({ content: { value: JSON.parse(BODY) as object }, label });
    expect(await listRefusals(world, graphId)).toEqual([]);
  });

  it("counts its version's publisher as the initiator, who can't approve", async () => {
    const { graphId } = await publishOrders(world, [shopHook()]);
    await arrive(world, graphId, { body: BODY, headers: sign(BODY) });
    await look(world);
    const [run] = await listRuns(world, graphId);
    expect(run?.initiator_id).toBe(world.publisher);
    await driveOn(world, run!.id);
    const { state } = await readRun(world, run!.id);
    const [gate] = Object.values(state.gates);
    const objection = (id: string) => findDeciderObjection(state, gate!, { id, role: "reviewer" }, Date.now());
    expect(objection(world.publisher)).toBe("own_run");
    expect(objection(world.reviewer)).toBeNull();
  });
});

describe("one refusal on record, and nothing started, for", () => {
  const refused = async (
    send: (graphId: string) => Promise<unknown>,
    trigger = shopHook(),
  ): Promise<{ readonly codes: readonly unknown[]; readonly runs: number; readonly statuses: readonly unknown[] }> => {
    const { graphId } = await publishOrders(world, [trigger]);
    await send(graphId);
    await look(world);
    await look(world);
    const refusals = await listRefusals(world, graphId);
    expect(refusals.every(({ refusal }) => refusal?.ids[1] === trigger.id)).toBe(true);

    return {
      codes: refusals.map(({ refusal }) => refusal?.code),
      runs: (await listRuns(world, graphId)).length,
      statuses: (await listEvents(world, graphId)).map(({ status, size }) => `${status} ${size}`),
    };
  };
  const gone = (code: string) => ({ codes: [code], runs: 0, statuses: ["refused 0"] });

  it("an unsigned event", async () => {
    expect(await refused((graph) => arrive(world, graph, { body: BODY, headers: {} }))).toEqual(gone("trigger_signature"));
  });

  it("an event signed with another secret, or over other bytes", async () => {
    const other = sign(BODY, { secret: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" });
    expect(await refused((graph) => arrive(world, graph, { body: BODY, headers: other }))).toEqual(gone("trigger_signature"));
    expect(await refused((graph) => arrive(world, graph, { body: `${BODY} `, headers: sign(BODY) }))).toEqual(gone("trigger_signature"));
  });

  it("a late event", async () => {
    const headers = sign(BODY, { atMs: Date.now() - 6 * 60_000 });
    expect(await refused((graph) => arrive(world, graph, { body: BODY, headers }))).toEqual(gone("trigger_late"));
  });

  it("an oversized event", async () => {
    expect(await refused((graph) => arrive(world, graph, { body: null, headers: sign(BODY) }))).toEqual(gone("trigger_too_large"));
  });

  it.each([
    ["of another type", '{"order":7}'],
    ["without the field", "{}"],
    ["that is no JSON", "order=A-7"],
    ["with a member twice", '{"order":"A-7","order":"B-8"}'],
  ])("an event %s", async (_what, body) => {
    expect(await refused((graph) => arrive(world, graph, { body, headers: sign(body) }))).toEqual(gone("trigger_payload"));
  });

  it("an event whose input its key does not take", async () => {
    const body = JSON.stringify({ order: "x".repeat(41) });
    expect(await refused((graph) => arrive(world, graph, { body, headers: sign(body) }))).toEqual(gone("value_invalid"));
  });

  it("an event of a trigger whose secret is missing", async () => {
    const send = (graph: string) => arrive(world, graph, { body: BODY, headers: sign(BODY) });
    expect(await refused(send, shopHook({ secret: "never_stored" }))).toEqual(gone("trigger_unavailable"));
  });

  it("an event whose bytes were sealed for another row", async () => {
    const moved = async (graph: string) => {
      const id = await arrive(world, graph, { body: BODY, headers: sign(BODY) });
      await asAdmin(urls.admin, "update trigger_event set id = $2 where id = $1", [id, randomUUID()]);
    };
    expect(await refused(moved)).toEqual(gone("command_forged"));
  });

  it("a replayed event, however often and in whatever new signature it comes", async () => {
    const { graphId } = await publishOrders(world, [shopHook()]);
    const headers = sign(BODY, { id: "msg_once" });
    await arrive(world, graphId, { body: BODY, headers });
    await look(world);
    await arrive(world, graphId, { body: BODY, headers });
    await look(world);
    const again = '{"order":"B-8"}';
    await arrive(world, graphId, { body: again, headers: sign(again, { id: "msg_once" }) });
    await look(world);
    expect(await listRuns(world, graphId)).toHaveLength(1);
    expect((await listRefusals(world, graphId)).map(({ refusal }) => [refusal?.code, refusal?.ids[2]])).toEqual([
      ["trigger_duplicate", "msg_once"],
      ["trigger_duplicate", "msg_once"],
    ]);
  });

  it("one of two deliveries of an event that arrive at once", async () => {
    const { graphId } = await publishOrders(world, [shopHook()]);
    const headers = sign(BODY, { id: "msg_twice" });
    await Promise.all([1, 2].map(() => arrive(world, graphId, { body: BODY, headers })));
    await Promise.all([look(world), look(world)]);
    await look(world);
    expect(await listRuns(world, graphId)).toHaveLength(1);
    expect((await listRefusals(world, graphId)).map(({ refusal }) => refusal?.code)).toEqual(["trigger_duplicate"]);
  });

  it("an event of GitHub that comes again under another delivery id", async () => {
    const { graphId } = await publishOrders(world, [shopHook({ scheme: "github" })]);
    const headers = { "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(BODY).digest("hex")}` };
    for (const _delivery of [1, 2]) {
      await arrive(world, graphId, { body: BODY, headers });
      await look(world);
    }
    expect(await listRuns(world, graphId)).toHaveLength(1);
    expect((await listRefusals(world, graphId)).map(({ refusal }) => refusal?.code)).toEqual(["trigger_duplicate"]);
  });
});

test("a redelivery after the trigger changed is still a duplicate, and a removed trigger starts nothing", async () => {
  const { graphId, id } = await publishOrders(world, [shopHook()]);
  await arrive(world, graphId, { body: BODY, headers: sign(BODY, { id: "msg_kept" }) });
  await look(world);
  await publishOrders(world, [shopHook({ concurrency: "drop" })], { id, graphId });
  await arrive(world, graphId, { body: BODY, headers: sign(BODY, { id: "msg_kept" }) });
  await look(world);
  await publishOrders(world, [], { id, graphId });
  await arrive(world, graphId, { body: BODY, headers: sign(BODY) });
  await look(world);
  expect(await listRuns(world, graphId)).toHaveLength(1);
  expect((await listRefusals(world, graphId)).map(({ refusal }) => refusal?.code)).toEqual(["trigger_duplicate", "trigger_unavailable"]);
});

test("an accepted event whose start was cut off is started once by the next look", async () => {
  const { graphId } = await publishOrders(world, [shopHook()]);
  await arrive(world, graphId, { body: BODY, headers: sign(BODY) });
  const signDigest = (): string => {
    throw new Error("cut off between the run's row and its first record");
  };
  const cut = { ...world, deps: { ...world.deps, signer: { ...world.deps.signer, signDigest } } };
  await look(cut);
  expect((await listEvents(world, graphId)).map(({ status, size }) => [status, size > 0])).toEqual([["accepted", true]]);
  await look(world);
  await look(world);
  expect((await listEvents(world, graphId)).map(({ status }) => status)).toEqual(["started"]);
  expect(await listRuns(world, graphId)).toHaveLength(1);
});

test("a version that nobody published on record starts nothing", async () => {
  const { graphId, hash } = await publishOrders(world, [shopHook()]);
  await asAdmin(urls.admin, "alter table graph_version disable trigger insert_only", []);
  await asAdmin(urls.admin, "update graph_version set author_id = $2 where hash = $1", [hash, world.reviewer]);
  await asAdmin(urls.admin, "alter table graph_version enable trigger insert_only", []);
  await arrive(world, graphId, { body: BODY, headers: sign(BODY) });
  await look(world);
  expect(await listRuns(world, graphId)).toEqual([]);
  expect((await listEvents(world, graphId)).map(({ code }) => code)).toEqual(["projection_mismatch"]);
});

test("the web process adds arrivals and decides nothing about them", async () => {
  const { graphId } = await publishOrders(world, [shopHook()]);
  const id = await arrive(world, graphId, { body: BODY, headers: {} });
  const asWeb = (sql: string) =>
    withClient(urls.web, async (client) => {
      await client.query("select set_config('countersign.workspace', $1, false)", [world.workspace]);

      return client.query(sql);
    });
  const row = `'${world.workspace}', gen_random_uuid(), '${graphId}', 'shop'`;
  await asWeb(`insert into trigger_event (workspace_id, id, graph_id, trigger, body) values (${row}, '\\x00')`);
  for (const sql of [
    `insert into trigger_event (workspace_id, id, graph_id, trigger, event_id) values (${row}, 'mine')`,
    `insert into trigger_event (workspace_id, id, graph_id, trigger, kind) values (${row}, 'schedule')`,
    `update trigger_event set status = 'accepted', event_id = 'mine' where id = '${id}'`,
    `delete from trigger_event where id = '${id}'`,
    "select body from trigger_event",
    `update graph_trigger set due_at = now()`,
    `insert into graph_trigger (workspace_id, graph_id, trigger, kind) values ('${world.workspace}', '${graphId}', 'x', 'webhook')`,
  ])
    await expect(asWeb(sql)).rejects.toThrow("permission denied");
  const other = randomUUID();
  await expect(
    asWeb(
      `insert into trigger_event (workspace_id, id, graph_id, trigger, body) values ('${other}', gen_random_uuid(), '${graphId}', 'shop', '')`,
    ),
  ).rejects.toThrow("row-level security");
});
