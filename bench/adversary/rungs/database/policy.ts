import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import { setPolicy } from "@/bench/adversary/rungs/schema";
import { buildDecision, sendCommand, sendWorkspaceCommand, startRun, waitForAnswer, waitForEnd } from "@/bench/adversary/rungs/world";

export const POLICY_ATTACKS: readonly Attack[] = [
  {
    name: "change the approval policy row",
    why: "Write that passkeys are left to the graph, so that a reviewer's session alone approves a charge.",
    run: async (world) => {
      const { admin, reviewer } = world.desk.people;
      await sendWorkspaceCommand(world, admin, { kind: "policy_raise" });
      await setPolicy(world, "graph");
      const run = await startRun(world);
      const row = await waitForEnd(world, run);
      if (row?.status === "waiting") {
        await waitForAnswer(world, await sendCommand(world, reviewer, run, await buildDecision(world, run)));
        await waitForEnd(world, run);
      }

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
];
