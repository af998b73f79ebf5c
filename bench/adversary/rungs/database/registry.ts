/** A writer of the database changes what tools are, or what an admin asked of them. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came, cameOfPaying } from "@/bench/adversary/rungs/came";
import { TILL } from "@/bench/adversary/rungs/graphs";
import { insertRegistryCommand } from "@/bench/adversary/rungs/schema";
import { atGate, atRest, decide, settled, start } from "@/bench/adversary/rungs/world";
import { tryPaying } from "@/bench/adversary/rungs/console";
import { until } from "@/bench/adversary/rungs/until";
import { sealManifest } from "@/server/mcp/manifest";
import { reachedDigest } from "@/lib/mcp/identity";
import { NO_ACCESS } from "@/lib/mcp/access";

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
    name: "another program behind a server",
    why: "The registry's row starts a program of the attacker's in place of the reviewed one.",
    run: async (world) => {
      const { installation, workspace } = world.desk;
      const marker = path.join(installation.home, "build", `started-${randomUUID()}`);
      const file = path.join(installation.home, "build", `program-${randomUUID()}.mjs`);
      fs.writeFileSync(file, `import fs from "node:fs";\nfs.writeFileSync(${JSON.stringify(marker)}, "");\n`);
      const manifest = await sealManifest({ source: "file", path: file, args: [] }, installation);
      const transport = { type: "stdio", manifest } as const;
      const reached = reachedDigest(transport, NO_ACCESS);
      const run = await atGate(world);
      await world.sql(
        `update mcp_server set transport = $3, pinned_identity = jsonb_set(pinned_identity, '{reached}', to_jsonb($4::text))
         where workspace_id = $1 and id = $2`,
        [workspace, TILL.server, JSON.stringify(transport), reached],
      );
      await decide(world, run, world.desk.people.reviewer);
      await settled(world, run, 8_000);

      return came(world, fs.existsSync(marker));
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
