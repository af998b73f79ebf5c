import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import { notifyRunner, readRunRow, startToGate, waitForAnswer } from "@/bench/adversary/rungs/world";
import { command } from "@/server/runner/testing/desk";
import { addAndInspect, adminOf, askRegistry, foundWorkspace, keepSecret, offerProbe, readServerState } from "./world";
import { TILL } from "@/bench/adversary/rungs/graphs";

export const TENANT_ATTACKS: readonly Attack[] = [
  {
    name: "another workspace's server",
    why: "Suspend and revoke a server of another workspace by its id.",
    run: async (world) => {
      const neighbour = await foundWorkspace(world);
      const before = await readServerState(world, TILL.server);
      const { workspace } = world.desk;
      for (const type of ["suspend", "revoke"]) {
        const body = { type, id: TILL.server, revision: before?.revision };
        await askRegistry(world, body, neighbour);
        await askRegistry(world, body, { workspace, user: neighbour.user });
        await askRegistry(world, body, { workspace, user: neighbour.user }, neighbour.workspace);
      }

      return reportOutcome(world, (await readServerState(world, TILL.server))?.status !== before?.status);
    },
  },
  {
    name: "another workspace's secret",
    why: "Start a server with a secret that another workspace keeps.",
    run: async (world) => {
      const probe = await offerProbe(world);
      const neighbour = await foundWorkspace(world);
      await keepSecret(world, world.desk.workspace, "probe-key", "a secret of the neighbour's neighbour");
      await addAndInspect(world, probe.manifest(), neighbour);

      return reportOutcome(
        world,
        probe.starts().some(({ env }) => env["PROBE_KEY"] !== undefined),
      );
    },
  },
  {
    name: "another server's secret",
    why: "Start a server with a secret that is kept for another server of the same workspace.",
    run: async (world) => {
      const probe = await offerProbe(world);
      await keepSecret(world, world.desk.workspace, "mcp:bank:token", "a secret of the bank's");
      await addAndInspect(world, probe.manifest({ key: { secret: "mcp:bank:token" } }));

      return reportOutcome(world, probe.starts().length > 0);
    },
  },
  {
    name: "another workspace's run",
    why: "Cancel a run of another workspace by its id.",
    run: async (world) => {
      const run = await startToGate(world);
      const neighbour = await foundWorkspace(world);
      const { desk } = world;
      for (const workspace of [neighbour.workspace, desk.workspace]) {
        const id = await command({ ...desk, workspace }, run, neighbour.user, { kind: "cancel", reason: "not mine" });
        await notifyRunner({ ...world, desk: { ...desk, workspace } }, run);
        await waitForAnswer(world, id);
      }

      return reportOutcome(world, (await readRunRow(world, run))?.status !== "waiting");
    },
  },
  {
    name: "the demo's admin adds a program",
    why: "Add a program of the operator as the demo's admin, whose account needs no password.",
    run: async (world) => {
      const probe = await offerProbe(world);
      const demo = await foundWorkspace(world, true);
      await keepSecret(world, demo.workspace, "probe-key", "an honest secret");
      await addAndInspect(world, probe.manifest(), demo);

      return reportOutcome(world, probe.starts().length > 0);
    },
  },
  {
    name: "the demo's admin adds an address",
    why: "Have the runner reach an address for the demo's admin, whose account needs no password.",
    run: async (world) => {
      const demo = await foundWorkspace(world, true);
      const transport = { type: "http", url: "https://attacker.example.com/mcp" };
      await askRegistry(world, { type: "add", id: "far", name: "far", transport }, demo);

      return reportOutcome(world, (await readServerState(world, "far", demo.workspace)) !== null);
    },
  },
  {
    name: "a builder adds a program",
    why: "Add a program of the operator without being an admin.",
    run: async (world) => {
      const probe = await offerProbe(world);
      await addAndInspect(world, probe.manifest(), { ...adminOf(world), user: world.desk.people.builder });

      return reportOutcome(world, probe.starts().length > 0);
    },
  },
];
