/** A writer of the database publishes, or changes what was published. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came, cameOfPaying } from "@/bench/adversary/rungs/came";
import { relabelled } from "@/bench/adversary/rungs/graphs";
import { insertVersion, newestLike, openTables, swapVersionText } from "@/bench/adversary/rungs/schema";
import { announce, answerTo, ask, atGate, atRest, decide, decisionOf, settled, start } from "@/bench/adversary/rungs/world";
import { graphSchema } from "@/lib/graph/document";

export const VERSION_ATTACKS: readonly Attack[] = [
  {
    name: "a version with its tools relabelled",
    why: "An inserted version calls the charge a read, so that whoever starts the newest version pays without a gate.",
    run: async (world) => {
      const { charge } = world.versions;
      const made = await insertVersion(world, charge, relabelled(charge.published), world.desk.people.builder);
      const run = await start(world, { ...made, hash: await newestLike(world, charge) });
      await atRest(world, run);
      await settled(world, run, 1_000);

      return cameOfPaying(world);
    },
  },
  {
    name: "a version that one may approve",
    why: "An inserted version lets one reviewer decide what takes two.",
    run: async (world) => {
      const { invoice } = world.versions;
      const { graph } = invoice.published;
      const nodes = graph.nodes.map((node) => (node.kind === "approval" ? { ...node, config: { ...node.config, quorum: 1 } } : node));
      const published = { ...invoice.published, graph: graphSchema.parse({ ...graph, nodes }) };
      const made = await insertVersion(world, invoice, published, world.desk.people.builder);
      const run = await start(world, { ...made, hash: await newestLike(world, invoice) });
      const row = await atRest(world, run);
      if (row?.status === "waiting") await decide(world, run, world.desk.people.reviewer, "approve", made);
      await settled(world, run);

      return cameOfPaying(world);
    },
  },
  {
    name: "another text under a version's name",
    why: "The stored text of a published version is replaced by one in which the charge is a read.",
    run: async (world) => {
      const { charge } = world.versions;
      await swapVersionText(world, charge, relabelled(charge.published));
      const run = await start(world, charge);
      await atRest(world, run, 4_000);

      return cameOfPaying(world);
    },
  },
  {
    name: "another version under a run's feet",
    why: "A run that waits for approval is moved to a version in which the charge is a read.",
    run: async (world) => {
      const { charge } = world.versions;
      const run = await atGate(world);
      const { hash } = await insertVersion(world, charge, relabelled(charge.published), world.desk.people.builder);
      await openTables(world);
      await world.sql("update run set graph_hash = $2, status = 'running', wake_at = now() where id = $1", [run, hash]);
      await announce(world, run);
      await settled(world, run);

      return cameOfPaying(world);
    },
  },
  {
    name: "another author of a version",
    why: "The row of a version names somebody else as its author, so that its real author may approve alone what it asks.",
    run: async (world) => {
      const { charge } = world.versions;
      const { reviewer, builder } = world.desk.people;
      // Published by the reviewer: they cannot be the only one to approve in it.
      const own = await world.publish(
        { ...charge.published, graph: { ...charge.published.graph, name: "charge of the reviewer" } },
        reviewer,
      );
      await openTables(world);
      await world.sql("update graph_version set author_id = $2 where hash = $1", [own.hash, builder]);
      const run = await atGate(world, own);
      const answer = await answerTo(world, await ask(world, reviewer, run, await decisionOf(world, run, "approve", own)));
      await settled(world, run, answer === "accepted" ? undefined : 500);

      return came(world, world.paid() > 0);
    },
  },
];
