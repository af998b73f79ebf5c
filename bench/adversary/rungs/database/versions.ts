import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome, reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { relabelTools } from "@/bench/adversary/rungs/graphs";
import { insertVersion, findNewestVersion, swapVersionText } from "@/bench/adversary/rungs/schema";
import {
  notifyRunner,
  waitForAnswer,
  sendCommand,
  startToGate,
  decideAs,
  buildDecision,
  waitForEnd,
  startRun,
} from "@/bench/adversary/rungs/world";
import { graphSchema } from "@/lib/graph/document";

export const VERSION_ATTACKS: readonly Attack[] = [
  {
    name: "publish a version with relabelled tools",
    why: "Insert a version that labels the charge a read, so that the next run pays without an approval.",
    run: async (world) => {
      const { charge } = world.versions;
      const made = await insertVersion(world, charge, relabelTools(charge.published), world.desk.people.builder);
      const run = await startRun(world, { ...made, hash: await findNewestVersion(world, charge) });
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "publish a version with a lower quorum",
    why: "Insert a version that lets one reviewer approve what takes two.",
    run: async (world) => {
      const { invoice } = world.versions;
      const { graph } = invoice.published;
      const nodes = graph.nodes.map((node) => (node.kind === "approval" ? { ...node, config: { ...node.config, quorum: 1 } } : node));
      const published = { ...invoice.published, graph: graphSchema.parse({ ...graph, nodes }) };
      const made = await insertVersion(world, invoice, published, world.desk.people.builder);
      const run = await startRun(world, { ...made, hash: await findNewestVersion(world, invoice) });
      const row = await waitForEnd(world, run);
      if (row?.status === "waiting") await decideAs(world, run, world.desk.people.reviewer, "approve", made);
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "replace a version's document",
    why: "Replace the stored document of a published version by one that labels the charge a read.",
    run: async (world) => {
      const { charge } = world.versions;
      await swapVersionText(world, charge, relabelTools(charge.published));
      const run = await startRun(world, charge);
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "move a run to another version",
    why: "Point a waiting run at a version that labels the charge a read.",
    run: async (world) => {
      const { charge } = world.versions;
      const run = await startToGate(world);
      const { hash } = await insertVersion(world, charge, relabelTools(charge.published), world.desk.people.builder);
      await world.sql("update run set graph_hash = $2, status = 'running', wake_at = now() where id = $1", [run, hash]);
      await notifyRunner(world, run);
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "change a version's author",
    why: "Change the author of a version so that its real author can approve it alone.",
    run: async (world) => {
      const { charge } = world.versions;
      const { reviewer, builder } = world.desk.people;
      // The reviewer publishes, so cannot approve alone.
      const own = await world.publish(
        { ...charge.published, graph: { ...charge.published.graph, name: "charge of the reviewer" } },
        reviewer,
      );
      await world.sql("update graph_version set author_id = $2 where hash = $1", [own.hash, builder]);
      const run = await startRun(world, own);
      if ((await waitForEnd(world, run))?.status !== "waiting") return reportOutcome(world, world.countPayments() > 0);
      await waitForAnswer(world, await sendCommand(world, reviewer, run, await buildDecision(world, run, "approve", own)));
      await waitForEnd(world, run);

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
];
