/** A writer of the database changes what people ask for while it is on its way. */
import { randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came, cameOfPaying } from "@/bench/adversary/rungs/came";
import { madeUpRecords } from "@/bench/adversary/rungs/facts";
import { captureCommands, replayCommand, rewriteCommands } from "@/bench/adversary/rungs/schema";
import { announce, answerTo, ask, atGate, atRest, decide, decisionOf, rowOf, settled, start } from "@/bench/adversary/rungs/world";

export const COMMAND_ATTACKS: readonly Attack[] = [
  {
    name: "a trigger that swaps names",
    why: "A trigger on command puts another reviewer's name on a decision, and the signed ledger names them.",
    run: async (world) => {
      const { reviewer, second } = world.desk.people;
      const run = await atGate(world);
      await rewriteCommands(world, "decision", `NEW.user_id = '${second}'`);
      await decide(world, run, reviewer);
      await settled(world, run);

      return cameOfPaying(world, 1);
    },
  },
  {
    name: "a viewer's yes under a reviewer's name",
    why: "A trigger lends a reviewer's name to a viewer who decides.",
    run: async (world) => {
      const { viewer, reviewer } = world.desk.people;
      const run = await atGate(world);
      await rewriteCommands(world, "decision", `NEW.user_id = '${reviewer}'`);
      await decide(world, run, viewer);
      await settled(world, run);

      return cameOfPaying(world);
    },
  },
  {
    name: "a starter who is not the one",
    why: "A trigger has somebody else start the run, so that its real starter may approve in it.",
    run: async (world) => {
      await rewriteCommands(world, "start", `NEW.user_id = '${world.desk.people.builder}'`);
      const run = await start(world, "charge", "admin");
      await atRest(world, run);

      return came(world, (await madeUpRecords(world, "start")).length > 0);
    },
  },
  {
    name: "a cancel that meets another run",
    why: "A trigger sends a builder's cancel to a run that they did not mean.",
    run: async (world) => {
      const [meant, other] = [await atGate(world), await atGate(world)];
      await rewriteCommands(world, "cancel", `NEW.run_id = '${other}'`);
      const id = await ask(world, world.desk.people.starter, meant, { kind: "cancel" });
      await announce(world, other);
      await answerTo(world, id).catch(() => undefined);

      return came(world, (await rowOf(world, other))?.status === "cancelled");
    },
  },
  {
    name: "a start played twice",
    why: "The sealed command of one start is inserted again for a run that nobody started.",
    run: async (world) => {
      await captureCommands(world);
      await atGate(world);
      const run = await replayCommand(world, "start", randomUUID());
      await announce(world, run);
      await atRest(world, run, 4_000);

      return came(
        world,
        (await madeUpRecords(world, "start")).some((record) => record.run === run),
      );
    },
  },
  {
    name: "a yes that was held back",
    why: "A reviewer's yes disappears on its way and is delivered a day later, when nobody expects it any more.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const run = await atGate(world);
      await captureCommands(world);
      await rewriteCommands(world, "decision", "NEW.status = 'refused'");
      await ask(world, reviewer, run, await decisionOf(world, run));
      await world.sql("drop trigger a_rewrite on command");
      // The reviewer was told that nothing came of it.
      world.said.splice(0);
      await world.sql("update captured set status = 'pending', created_at = created_at - interval '1 day'");
      await replayCommand(world, "decision");
      await world.sql("update command set created_at = created_at - interval '1 day' where kind = 'decision'");
      await announce(world, run);
      await settled(world, run, 4_000);

      return cameOfPaying(world);
    },
  },
];
