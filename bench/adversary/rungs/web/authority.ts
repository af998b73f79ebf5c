/** The web process writes what authority rests on: versions, requests to publish, tokens. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came, cameOfPaying } from "@/bench/adversary/rungs/came";
import { relabelled } from "@/bench/adversary/rungs/graphs";
import { posts } from "@/bench/adversary/rungs/outside-agent";
import { insertToken, insertVersion, newestLike } from "@/bench/adversary/rungs/schema";
import { atRest, settled, start } from "@/bench/adversary/rungs/world";

export const AUTHORITY_ATTACKS: readonly Attack[] = [
  {
    name: "a version that nobody published",
    why: "The web process stores a version whose charge is a read, without the second person whom that takes.",
    run: async (world) => {
      const { charge } = world.versions;
      const made = await insertVersion(world, charge, relabelled(charge.published), world.desk.people.builder).catch(() => null);
      if (!made) return came(world, false);
      const run = await start(world, { ...made, hash: await newestLike(world, charge) });
      await atRest(world, run);
      await settled(world, run, 1_000);

      return cameOfPaying(world);
    },
  },
  {
    name: "a token that nobody made",
    why: "The web process makes a token that an admin is to have vouched for.",
    run: async (world) => {
      const agent = await insertToken(world, world.versions.kiosk).catch(() => null);
      if (!agent) return came(world, false);
      await posts(world, agent);

      return came(world, world.paid() > 0);
    },
  },
];
