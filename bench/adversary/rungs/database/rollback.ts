import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome, reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { captureCommands, replayCommand, reopenApprovals, rollBack, findRecord } from "@/bench/adversary/rungs/schema";
import {
  notifyRunner,
  sendCommand,
  waitForAnswer,
  sendWorkspaceCommand,
  startToGate,
  decideAs,
  keepCheckpoint,
  completePaidRun,
  waitForEnd,
} from "@/bench/adversary/rungs/world";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";

const EFFECT = '"type":"effect_intended"';
const DECISION = '"proposal_kind":"decision"';

export const ROLLBACK_ATTACKS: readonly Attack[] = [
  {
    name: "roll a run back to before its effect",
    why: "Delete the records of a payment so that one approval pays twice.",
    run: async (world) => {
      const run = await completePaidRun(world);
      await keepCheckpoint(world);
      await rollBack(world, run, await findRecord(world, run, EFFECT), "running");
      await notifyRunner(world, run);
      await waitForEnd(world, run);

      return reportPayments(world, 1);
    },
  },
  {
    name: "roll a run and its log back between two runners",
    why: "Delete the payment, the workspace's log and its checkpoints, then restart the runner.",
    run: async (world) => {
      const run = await completePaidRun(world);
      await keepCheckpoint(world);
      await rollBack(world, run, await findRecord(world, run, EFFECT), "running");
      await world.sql("delete from log_leaf where workspace_id = $1", [world.desk.workspace]);
      await world.sql("delete from checkpoint where workspace_id = $1", [world.desk.workspace]);
      await world.restartRunner();
      await notifyRunner(world, run);
      await waitForEnd(world, run);

      return reportPayments(world, 1);
    },
  },
  {
    name: "replay a captured approval",
    why: "Roll the run back to its open gate and insert the reviewer's sealed command again.",
    run: async (world) => {
      await captureCommands(world);
      const run = await completePaidRun(world);
      await keepCheckpoint(world);
      await rollBack(world, run, await findRecord(world, run, DECISION), "waiting");
      await reopenApprovals(world, run);
      await replayCommand(world, "decision");
      await notifyRunner(world, run);
      await waitForEnd(world, run);

      return reportPayments(world, 1);
    },
  },
  {
    name: "erase a rejection",
    why: "Delete a reviewer's rejection so that another reviewer is asked as if no decision existed.",
    run: async (world) => {
      const { reviewer, second } = world.desk.people;
      const run = await startToGate(world);
      await decideAs(world, run, reviewer, "reject");
      await waitForEnd(world, run);
      await keepCheckpoint(world);
      await rollBack(world, run, await findRecord(world, run, DECISION), "waiting");
      await reopenApprovals(world, run);
      await decideAs(world, run, second);
      await waitForEnd(world, run);

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
  {
    name: "revive a cancelled run",
    why: "Delete the cancellation so that a reviewer approves a run that its builder stopped.",
    run: async (world) => {
      const { starter, reviewer } = world.desk.people;
      const run = await startToGate(world);
      await waitForAnswer(world, await sendCommand(world, starter, run, { kind: "cancel" }));
      await keepCheckpoint(world);
      await rollBack(world, run, await findRecord(world, run, '"proposal_kind":"cancel"'), "waiting");
      await reopenApprovals(world, run);
      await decideAs(world, run, reviewer);
      await waitForEnd(world, run);

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
  {
    name: "erase a demotion",
    why: "Delete the record that took a reviewer's role and restore the membership row.",
    run: async (world) => {
      const { admin, reviewer } = world.desk.people;
      const [was, standing] = (["reviewer", "viewer"] as const).map((role) => ({ role, auditor: false }));
      if (!was || !standing) throw new Error("there are two standings");
      const run = await startToGate(world);
      await sendWorkspaceCommand(world, admin, { kind: "people_change", user: reviewer, was, standing });
      await keepCheckpoint(world);
      const ledger = getWorkspaceLedgerId(world.desk.workspace);
      await rollBack(world, ledger, await findRecord(world, ledger, '"step":"role_changed"'), "running");
      await world.sql("update membership set role = 'reviewer' where user_id = $1", [reviewer]);
      await decideAs(world, run, reviewer);
      await waitForEnd(world, run);

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
];
