import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { version } from "@/lib/engine/testing/kinds";
import type { GraphInput } from "@/lib/graph/document";
import { testInstallation } from "@/server/mcp/testing/installation";
import { command, publishAs, type Desk } from "@/server/runner/testing/desk";
import { decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { bundleChild, leaseOver, runRunner } from "@/server/runner/testing/runner-process";
import { openDemo, type Demo } from "@/server/seed/testing/demo";
import { listPinnedTools } from "@/server/store/mcp/servers";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let demo: Demo;
beforeAll(async () => {
  demo = await openDemo(urls, installation);
  await bundleChild(installation);
}, 120_000);
afterAll(() => demo.desk.mcp.close());

type NodeInput = GraphInput["nodes"][number];

const reserve = (id: string, order: string): NodeInput => ({
  id,
  kind: "tool",
  write_keys: ["out"],
  effect: "write",
  config: { server: "shop", tool: "reserve_stock", arguments: { order_id: { value: order } }, write_to: "out" },
  compensation: { server: "shop", tool: "release_stock", arguments: { reservation_id: { result: "reservation_id" } } },
});
const fails: NodeInput = {
  id: "fails",
  kind: "tool",
  write_keys: ["more"],
  failure_policy: { attempts: 1 },
  config: { server: "shop", tool: "find_order", arguments: { order_id: { value: "ord_9" } }, write_to: "more" },
};

const keptSchema = z.object({
  applied: z.record(z.string(), z.object({ result: z.object({ order_id: z.string(), status: z.string() }) })),
});

const changes = async (): Promise<string[]> => {
  const text = await readFile(path.join(installation.home, "shop", "state.json"), "utf8").catch(() => '{"applied":{}}');

  return Object.values(keptSchema.parse(JSON.parse(text)).applied).map(({ result }) => `${result.order_id} ${result.status}`);
};

test.each([
  ["when the undo was called and its outcome not yet recorded", { dieAfterCall: 1 }, 2],
  ["when the outcome was recorded and the next undo not yet asked for", { dieAfterRecord: 3 }, 1],
])(
  "cycgraph: the next runner undoes every effect once, newest first, after a kill -9 %s",
  async (_when, cut, intents) => {
    const tools = await listPinnedTools(demo.desk.workspace);
    const published = version([reserve("first", "ord_2001"), reserve("second", "ord_2003"), fails], {}, { tools });
    const graphHash = await publishAs(demo.desk, published, demo.desk.people.builder);
    const desk: Desk = { ...demo.desk, published, graphHash };
    const before = await changes();
    const runId = randomUUID();
    const approve = async () => {
      const { state } = await readRun(desk, runId);
      await command(desk, runId, desk.people.reviewer, decisionFor(desk, state, "approve"));
    };
    await command(desk, runId, desk.people.starter, {
      kind: "start",
      graph_hash: graphHash,
      goal: "",
      constraints: [],
      inputs: {},
      model: "scripted:honest",
    });

    await drive(desk, runId);
    const reserved = [...before, "ord_2001 reserved", "ord_2003 reserved"];
    expect((await readRun(desk, runId)).state).toMatchObject({ status: "waiting", unwinding: { to: "failed" } });
    expect(await changes()).toEqual(reserved);
    await approve();
    expect(await runRunner({ desk, runId, leaseMs: 10_000, dieAfterRecord: null, dieAfterCall: null, ...cut })).toBe("SIGKILL");
    await leaseOver(desk, runId);
    await drive(desk, runId);
    await approve();
    await drive(desk, runId);

    const { state, records } = await readRun(desk, runId);
    expect(state).toMatchObject({ status: "failed", unwinding: null });
    expect(state.compensation.map(({ node, outcome }) => [node, outcome])).toEqual([
      ["first", "done"],
      ["second", "done"],
    ]);
    expect(await changes()).toEqual([...reserved, "ord_2003 released", "ord_2001 released"]);
    // An uncertain one is sent again under the same key.
    const undos = Object.values(state.effects).filter(({ undoes }) => undoes !== null);
    expect(undos.map(({ node, outcome }) => [node, outcome])).toEqual([
      ["second", "ok"],
      ["first", "ok"],
    ]);
    for (const { effect_id: id, node } of undos) {
      const seqs = ["effect_intended", "effect_settled"].map((type) =>
        records.flatMap(({ record }) =>
          record.control.some((event) => event.type === type && "effect_id" in event && event.effect_id === id) ? [record.seq] : [],
        ),
      );
      expect(seqs.map(({ length }) => length)).toEqual([node === "second" ? intents : 1, 1]);
      expect(seqs[0]?.at(-1)).toBeLessThan(seqs[1]?.[0] ?? -1);
    }
  },
  60_000,
);
