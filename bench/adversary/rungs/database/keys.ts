/** A writer of the database brings a key of their own. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { madeUpDecisions } from "@/bench/adversary/rungs/facts";
import { append, madeUpYes, ownKey, replayed } from "@/bench/adversary/rungs/forge";
import { noticed } from "@/bench/adversary/rungs/noticing";
import { announce, atGate, settled } from "@/bench/adversary/rungs/world";

export const KEY_ATTACKS: readonly Attack[] = [
  {
    name: "a decision under a key of one's own",
    why: "A key that is inserted into signing_key signs a reviewer's yes and its receipt, so that a charge is paid that nobody approved.",
    run: async (world) => {
      const run = await atGate(world);
      const key = await ownKey(world);
      await append(world, madeUpYes(await replayed(world, run), world.versions.charge, world.desk.people.reviewer), key);
      await announce(world, run);
      await settled(world, run);

      return { succeeded: world.paid() > 0 || (await madeUpDecisions(world)).length > 0, noticedAs: await noticed(world) };
    },
  },
];
