import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome, reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { relabelTools } from "@/bench/adversary/rungs/graphs";
import { postAsAgent } from "@/bench/adversary/rungs/outside-agent";
import { insertAgentToken, insertVersion, findNewestVersion } from "@/bench/adversary/rungs/schema";
import { waitForEnd, startRun } from "@/bench/adversary/rungs/world";

export const AUTHORITY_ATTACKS: readonly Attack[] = [
  {
    name: "store a version without a second person",
    why: "Insert a version that labels the charge a read without the second person that it needs.",
    run: async (world) => {
      const { charge } = world.versions;
      const made = await insertVersion(world, charge, relabelTools(charge.published), world.desk.people.builder);
      const run = await startRun(world, { ...made, hash: await findNewestVersion(world, charge) });
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "make an agent token",
    why: "Insert an agent token that an admin vouches for and start a write with it.",
    run: async (world) => {
      const agent = await insertAgentToken(world, world.versions.kiosk);
      await postAsAgent(world, agent);

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
];
