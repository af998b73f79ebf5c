import { randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome, reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { findForgedRecords } from "@/bench/adversary/rungs/facts";
import { captureCommands, replayCommand, rewriteCommands } from "@/bench/adversary/rungs/schema";
import {
  notifyRunner,
  waitForAnswer,
  sendCommand,
  startToGate,
  decideAs,
  buildDecision,
  readRunRow,
  waitForEnd,
  startRun,
} from "@/bench/adversary/rungs/world";

const DAY_MS = 24 * 3_600_000;

export const COMMAND_ATTACKS: readonly Attack[] = [
  {
    name: "swap names with a trigger",
    why: "Add a trigger on command that puts another reviewer's name on a decision.",
    run: async (world) => {
      const { reviewer, second } = world.desk.people;
      const run = await startToGate(world);
      await rewriteCommands(world, "decision", `NEW.user_id = '${second}'`);
      await decideAs(world, run, reviewer);
      await waitForEnd(world, run);

      return reportPayments(world, 1);
    },
  },
  {
    name: "approve as a viewer under a reviewer's name",
    why: "Add a trigger on command that lends a reviewer's name to a viewer.",
    run: async (world) => {
      const { viewer, reviewer } = world.desk.people;
      const run = await startToGate(world);
      await rewriteCommands(world, "decision", `NEW.user_id = '${reviewer}'`);
      await decideAs(world, run, viewer);
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "change who starts a run",
    why: "Add a trigger on command that names another initiator, so that the real one could approve.",
    run: async (world) => {
      await rewriteCommands(world, "start", `NEW.user_id = '${world.desk.people.builder}'`);
      const run = await startRun(world, "charge", "admin");
      await waitForEnd(world, run);

      return reportOutcome(world, (await findForgedRecords(world, "start")).length > 0);
    },
  },
  {
    name: "redirect a cancellation",
    why: "Add a trigger on command that sends a builder's cancellation to another run.",
    run: async (world) => {
      const [meant, other] = [await startToGate(world), await startToGate(world)];
      await rewriteCommands(world, "cancel", `NEW.run_id = '${other}'`);
      const id = await sendCommand(world, world.desk.people.starter, meant, { kind: "cancel" });
      await notifyRunner(world, other);
      await waitForAnswer(world, id).catch(() => undefined);

      return reportOutcome(world, (await readRunRow(world, other))?.status === "cancelled");
    },
  },
  {
    name: "replay a start",
    why: "Insert the sealed command of one start again for a second run.",
    run: async (world) => {
      await captureCommands(world);
      await startToGate(world);
      const run = await replayCommand(world, "start", randomUUID());
      await notifyRunner(world, run);
      await waitForEnd(world, run);

      return reportOutcome(
        world,
        (await findForgedRecords(world, "start")).some((record) => record.run === run),
      );
    },
  },
  {
    name: "deliver an approval a day late",
    why: "Withhold a reviewer's sealed command and insert it the next day.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const run = await startToGate(world);
      await captureCommands(world);
      await rewriteCommands(world, "decision", "NEW.status = 'refused'");
      await sendCommand(world, reviewer, run, await buildDecision(world, run), DAY_MS);
      await world.sql("drop trigger a_rewrite on command");
      // The reviewer knew the day before that it failed.
      world.requests.splice(0);
      await world.sql("update captured set status = 'pending', created_at = created_at - interval '1 day'");
      await replayCommand(world, "decision");
      await world.sql("update command set created_at = created_at - interval '1 day' where kind = 'decision'");
      await notifyRunner(world, run);
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
];
