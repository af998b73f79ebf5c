/** A writer of the database takes back what has happened. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came, cameOfPaying } from "@/bench/adversary/rungs/came";
import { captureCommands, replayCommand, reopenApprovals, rollBack, seqWith } from "@/bench/adversary/rungs/schema";
import { announce, ask, answerTo, askWorkspace, atGate, decide, keepCheckpoint, paidRun, settled } from "@/bench/adversary/rungs/world";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";

const EFFECT = '"type":"effect_intended"';
const DECISION = '"proposal_kind":"decision"';

export const ROLLBACK_ATTACKS: readonly Attack[] = [
  {
    name: "a run rolled back to before its effect",
    why: "One approval pays twice: the records of the payment are gone, and the run goes on from its receipt.",
    run: async (world) => {
      const run = await paidRun(world);
      await keepCheckpoint(world);
      await rollBack(world, run, await seqWith(world, run, EFFECT), "running");
      await announce(world, run);
      await settled(world, run);

      return cameOfPaying(world, 1);
    },
  },
  {
    name: "a run rolled back while no runner lives",
    why: "The same between two runners, so that none remembers the run, with the workspace's log and checkpoints taken back too.",
    run: async (world) => {
      const run = await paidRun(world);
      await keepCheckpoint(world);
      await rollBack(world, run, await seqWith(world, run, EFFECT), "running");
      await world.sql("delete from log_leaf where workspace_id = $1", [world.desk.workspace]);
      await world.sql("delete from checkpoint where workspace_id = $1", [world.desk.workspace]);
      await world.restartRunner();
      await announce(world, run);
      await settled(world, run);

      return cameOfPaying(world, 1);
    },
  },
  {
    name: "a captured approval played to the run as it was",
    why: "The run is rolled back to its open gate, and the sealed command with the reviewer's yes is inserted once more.",
    run: async (world) => {
      await captureCommands(world);
      const run = await paidRun(world);
      await keepCheckpoint(world);
      await rollBack(world, run, await seqWith(world, run, DECISION), "waiting");
      await reopenApprovals(world, run);
      await replayCommand(world, "decision");
      await announce(world, run);
      await settled(world, run);

      return cameOfPaying(world, 1);
    },
  },
  {
    name: "a rejection taken back",
    why: "A reviewer said no; the record is gone, and another reviewer is asked as if nobody had.",
    run: async (world) => {
      const { reviewer, second } = world.desk.people;
      const run = await atGate(world);
      await decide(world, run, reviewer, "reject");
      await settled(world, run, 2_000);
      await keepCheckpoint(world);
      await rollBack(world, run, await seqWith(world, run, DECISION), "waiting");
      await reopenApprovals(world, run);
      await decide(world, run, second);
      await settled(world, run);

      return came(world, world.paid() > 0);
    },
  },
  {
    name: "a cancelled run revived",
    why: "A builder cancelled the run; the record is gone, and a reviewer approves what nobody wants any more.",
    run: async (world) => {
      const { starter, reviewer } = world.desk.people;
      const run = await atGate(world);
      await answerTo(world, await ask(world, starter, run, { kind: "cancel" }));
      await keepCheckpoint(world);
      await rollBack(world, run, await seqWith(world, run, '"proposal_kind":"cancel"'), "waiting");
      await reopenApprovals(world, run);
      await decide(world, run, reviewer);
      await settled(world, run);

      return came(world, world.paid() > 0);
    },
  },
  {
    name: "a demotion taken back",
    why: "An admin took a reviewer's role; the record of it is gone, and the row says reviewer again.",
    run: async (world) => {
      const { admin, reviewer } = world.desk.people;
      const [was, standing] = (["reviewer", "viewer"] as const).map((role) => ({ role, auditor: false }));
      if (!was || !standing) throw new Error("there are two standings");
      const run = await atGate(world);
      await askWorkspace(world, admin, { kind: "people_change", user: reviewer, was, standing });
      await keepCheckpoint(world);
      const ledger = workspaceLedgerId(world.desk.workspace);
      await rollBack(world, ledger, await seqWith(world, ledger, '"step":"role_changed"'), "running");
      await world.sql("update membership set role = 'reviewer' where user_id = $1", [reviewer]);
      await decide(world, run, reviewer);
      await settled(world, run);

      return came(world, world.paid() > 0);
    },
  },
];
