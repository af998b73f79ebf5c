import fs from "node:fs";
import path from "node:path";
import type { Attack, Report } from "@/bench/adversary/rungs/attack";
import { reportOutcome, reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { TILL } from "@/bench/adversary/rungs/graphs";
import { insertRegistryCommand, rerouteTill } from "@/bench/adversary/rungs/schema";
import { publishFromRegistry } from "@/bench/adversary/rungs/publishing";
import type { EffectClass } from "@/lib/graph/document";
import { startToGate, decideAs, waitForEnd, startRun, type World } from "@/bench/adversary/rungs/world";
import { tryPayment } from "@/bench/adversary/rungs/console";
import { until } from "@/bench/adversary/rungs/until";

const payByNewVersion = async (world: World): Promise<Report> => {
  const version = await publishFromRegistry(world, "charge");
  if (typeof version === "string") return reportOutcome(world, false);
  await waitForEnd(world, await startRun(world, version));

  return reportPayments(world);
};

const setLabels = (world: World, effect: EffectClass, idempotent: boolean): Promise<unknown> =>
  world.sql("update mcp_tool set effect = $3, idempotent = $4 where workspace_id = $1 and name = $2", [
    world.desk.workspace,
    TILL.pays,
    effect,
    idempotent,
  ]);

export const REGISTRY_ATTACKS: readonly Attack[] = [
  {
    name: "lower a tool's label",
    why: "Label the charge a read in mcp_tool before a builder publishes.",
    run: async (world) => {
      await setLabels(world, "read", true);
      return payByNewVersion(world);
    },
  },
  {
    name: "lower a tool's label for a moment",
    why: "Label the charge a read while a builder publishes, and put the label back before the call.",
    run: async (world) => {
      await setLabels(world, "read", true);
      const version = await publishFromRegistry(world, "charge");
      if (typeof version === "string") return reportOutcome(world, false);
      await setLabels(world, "irreversible", false);
      await waitForEnd(world, await startRun(world, version));

      return reportPayments(world);
    },
  },
  {
    name: "insert a registry command",
    why: "Insert a registry command in an admin's name that labels the charge a read.",
    run: async (world) => {
      await insertRegistryCommand(world, world.desk.people.admin);
      return payByNewVersion(world);
    },
  },
  {
    name: "reroute a server",
    why: "Change a value of the reviewed MCP server so that an approved payment goes elsewhere.",
    run: async (world) => {
      const before = fs.readdirSync(world.elsewhere).length;
      const run = await startToGate(world);
      await rerouteTill(world, path.basename(world.elsewhere));
      await decideAs(world, run, world.desk.people.reviewer);
      await waitForEnd(world, run);

      return reportOutcome(world, fs.readdirSync(world.elsewhere).length > before);
    },
  },
  {
    name: "replay a console call",
    why: "Set an admin's finished console call back to waiting so that the runner calls the tool again.",
    run: async (world) => {
      const id = await tryPayment(world, world.desk.people.admin);
      await until("the admin's own call is made", () => Promise.resolve(world.countPayments() === 1));
      await until("it is over", async () => {
        const [row] = await world.sql<{ status: string }>("select status from console_call where id = $1", [id]);

        return row?.status === "done";
      });
      await world.sql("update console_call set status = 'waiting', created_at = now(), ended_at = null, result = null where id = $1", [id]);
      await world.sql("select pg_notify('countersign_console', '')");
      await until("it is made again", () => Promise.resolve(world.countPayments() > 1), 8_000).catch(() => undefined);

      return reportOutcome(world, world.countPayments() > 1);
    },
  },
];
