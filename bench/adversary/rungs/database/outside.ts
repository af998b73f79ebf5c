import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import { insertAgentToken } from "@/bench/adversary/rungs/schema";
import { postAsAgent } from "@/bench/adversary/rungs/outside-agent";
import { outsider } from "@/server/runner/testing/outside";

export const OUTSIDE_ATTACKS: readonly Attack[] = [
  {
    name: "insert an agent token",
    why: "Insert an agent token that an admin vouches for and start a write with it.",
    run: async (world) => {
      await postAsAgent(world, await insertAgentToken(world, world.versions.kiosk));

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
  {
    name: "raise a token's integrity",
    why: "Mark an untrusted agent token as trusted by an admin.",
    run: async (world) => {
      const agent = await outsider(world.desk, world.versions.kiosk.hash, { scopes: ["run.read", "run.drive"] });
      await world.sql("update agent_token set integrity = 'trusted', owner_id = $2 where id = $1", [agent.token, world.desk.people.admin]);
      await postAsAgent(world, agent);

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
];
