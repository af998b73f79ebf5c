/** A writer of the database changes what tools are, or what an admin asked of them. */
import fs from "node:fs";
import path from "node:path";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came, cameOfPaying } from "@/bench/adversary/rungs/came";
import { TILL } from "@/bench/adversary/rungs/graphs";
import { insertRegistryCommand, rerouteTill } from "@/bench/adversary/rungs/schema";
import { atGate, atRest, decide, settled, start } from "@/bench/adversary/rungs/world";
import { tryPaying } from "@/bench/adversary/rungs/console";
import { until } from "@/bench/adversary/rungs/until";

export const REGISTRY_ATTACKS: readonly Attack[] = [
  {
    name: "a tool's label lowered",
    why: "The registry's row calls the charge a read before a builder publishes with the tools as they are.",
    run: async (world) => {
      await world.sql("update mcp_tool set effect = 'read', idempotent = true where workspace_id = $1 and name = $2", [
        world.desk.workspace,
        TILL.pays,
      ]);
      const run = await start(world, await world.publishAnew("charge"));
      await atRest(world, run);
      await settled(world, run, 1_000);

      return cameOfPaying(world);
    },
  },
  {
    name: "a registry command in an admin's name",
    why: "An inserted command has the control plane itself call the charge a read, on record as an admin's step.",
    run: async (world) => {
      await insertRegistryCommand(world, world.desk.people.admin);
      const run = await start(world, await world.publishAnew("charge"));
      await atRest(world, run);
      await settled(world, run, 1_000);

      return cameOfPaying(world);
    },
  },
  {
    name: "another way to a server",
    why: "The registry's row starts the reviewed program with other arguments, so that an approved payment goes elsewhere.",
    run: async (world) => {
      const elsewhere = path.join(world.desk.installation.home, "log");
      const run = await atGate(world);
      await rerouteTill(world, elsewhere);
      await decide(world, run, world.desk.people.reviewer);
      await settled(world, run, 8_000);

      return came(world, fs.readdirSync(elsewhere).some((name) => name.includes(`.${TILL.pays}.`)));
    },
  },
  {
    name: "a tried-out call made again",
    why: "An admin tried the charge out once; its row is set back to waiting.",
    run: async (world) => {
      const id = await tryPaying(world, world.desk.people.admin);
      await until("the admin's own call is made", () => Promise.resolve(world.paid() === 1));
      await until("it is over", async () => {
        const [row] = await world.sql<{ status: string }>("select status from console_call where id = $1", [id]);

        return row?.status === "done";
      });
      await world.sql("update console_call set status = 'waiting', created_at = now(), ended_at = null, result = null where id = $1", [id]);
      await world.sql("select pg_notify('countersign_console', '')");
      await until("it is made again", () => Promise.resolve(world.paid() > 1), 8_000).catch(() => undefined);

      return came(world, world.paid() > 1);
    },
  },
];
