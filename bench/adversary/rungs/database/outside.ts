/** A writer of the database gives an outside agent more than its owner did. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came } from "@/bench/adversary/rungs/came";
import { insertToken } from "@/bench/adversary/rungs/schema";
import { posts } from "@/bench/adversary/rungs/outside-agent";
import { outsider } from "@/server/runner/testing/outside";

export const OUTSIDE_ATTACKS: readonly Attack[] = [
  {
    name: "a token that nobody made",
    why: "An inserted token of an admin's, vouched for, drives a graph whose write would wait for a person.",
    run: async (world) => {
      await posts(world, await insertToken(world, world.versions.kiosk));

      return came(world, world.paid() > 0);
    },
  },
  {
    name: "a token that is trusted all at once",
    why: "The row of an untrusted token says that an admin vouches for what it sends.",
    run: async (world) => {
      const agent = await outsider(world.desk, world.versions.kiosk.hash, { scopes: ["run.read", "run.drive"] });
      await world.sql("update agent_token set integrity = 'trusted', owner_id = $2 where id = $1", [agent.token, world.desk.people.admin]);
      await posts(world, agent);

      return came(world, world.paid() > 0);
    },
  },
];
