/** The web process speaks in people's names: it writes commands, and it holds the key that they are sealed with. */
import { randomUUID } from "node:crypto";
import type { Attack, Report } from "@/bench/adversary/rungs/attack";
import { came, cameOfPaying } from "@/bench/adversary/rungs/came";
import { tryPaying } from "@/bench/adversary/rungs/console";
import { madeUpRecords } from "@/bench/adversary/rungs/facts";
import { forgeCommand, insertRegistryCommand, mintSession } from "@/bench/adversary/rungs/schema";
import { until } from "@/bench/adversary/rungs/until";
import {
  answerTo,
  askWorkspace,
  atGate,
  atRest,
  decide,
  decisionOf,
  rowOf,
  settled,
  start,
  type World,
} from "@/bench/adversary/rungs/world";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";

/** A yes in a reviewer's name to a charge that waits. */
const yesAs = async (world: World, user: string, session: string | null): Promise<Report> => {
  const run = await atGate(world);
  const id = await forgeCommand(world, { run, user, session, body: await decisionOf(world, run) });
  await answerTo(world, id);
  await settled(world, run, 4_000);

  return cameOfPaying(world);
};

/** Whether a step of the workspace is on record in the name of somebody who did not ask for it. */
const stepAs = async (world: World, user: string, kind: string, body: Parameters<typeof forgeCommand>[1]["body"]): Promise<Report> => {
  const id = await forgeCommand(world, { run: workspaceLedgerId(world.desk.workspace), user, session: null, body });
  const answer = await answerTo(world, id);

  return came(world, answer === "accepted" && (await madeUpRecords(world, kind)).length > 0);
};

export const NAME_ATTACKS: readonly Attack[] = [
  {
    name: "a yes in a reviewer's name",
    why: "A command that the web process inserts approves a charge as a reviewer who never saw it.",
    run: (world) => yesAs(world, world.desk.people.reviewer, null),
  },
  {
    name: "a yes through a minted session",
    why: "The web process makes a session for a reviewer who is not there, and decides through it.",
    run: async (world) => {
      const { reviewer } = world.desk.people;

      return yesAs(world, reviewer, await mintSession(world, reviewer));
    },
  },
  {
    name: "a yes that says another gate",
    why: "A reviewer decides about one charge; the web process sends the same yes about another.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const [meant, other] = [await atGate(world), await atGate(world)];
      await decide(world, meant, reviewer);
      await settled(world, meant);
      const id = await forgeCommand(world, { run: other, user: reviewer, session: null, body: await decisionOf(world, other) });
      await answerTo(world, id);
      await settled(world, other, 4_000);

      return cameOfPaying(world, 1);
    },
  },
  {
    name: "a run that nobody started",
    why: "The web process starts a run in a builder's name.",
    run: async (world) => {
      const run = randomUUID();
      const body = {
        kind: "start",
        graph_hash: world.versions.charge.hash,
        goal: "",
        constraints: [],
        inputs: { text: "made up" },
        model: "scripted:honest",
      };
      await forgeCommand(world, { run, user: world.desk.people.starter, session: null, body });
      await atRest(world, run, 4_000);

      return came(world, (await madeUpRecords(world, "start")).length > 0);
    },
  },
  {
    name: "an edit in a reviewer's name",
    why: "The web process changes what is paid in one reviewer's name, and lets another reviewer approve it.",
    run: async (world) => {
      const { second } = world.desk.people;
      const run = await atGate(world);
      const { approval_id, transition_digest, nonce } = await decisionOf(world, run);
      const body = { kind: "edit", approval_id, transition_digest, nonce, change: { arguments: { text: "the attacker's account" } } };
      await answerTo(world, await forgeCommand(world, { run, user: second, session: null, body }));

      return came(world, (await madeUpRecords(world, "edit")).length > 0);
    },
  },
  {
    name: "a cancel in a builder's name",
    why: "The web process ends a run as a builder who did not ask for it.",
    run: async (world) => {
      const run = await atGate(world);
      await answerTo(world, await forgeCommand(world, { run, user: world.desk.people.starter, session: null, body: { kind: "cancel" } }));

      return came(world, (await rowOf(world, run))?.status === "cancelled");
    },
  },
  {
    name: "a promotion in an admin's name",
    why: "The web process has an admin make a viewer a reviewer, who then approves.",
    run: async (world) => {
      const { admin, viewer } = world.desk.people;
      const [was, standing] = [
        { role: "viewer", auditor: false },
        { role: "reviewer", auditor: false },
      ];
      const run = await atGate(world);
      const body = { kind: "people_change", user: viewer, was, standing };
      const ledger = workspaceLedgerId(world.desk.workspace);
      await answerTo(world, await forgeCommand(world, { run: ledger, user: admin, session: null, body }));
      await decide(world, run, viewer);
      await settled(world, run, 4_000);

      return came(world, world.paid() > 0);
    },
  },
  {
    name: "a registry command in an admin's name",
    why: "The web process has an admin call the charge a read, before a builder publishes with the tools as they are.",
    run: async (world) => {
      await insertRegistryCommand(world, world.desk.people.admin);
      const run = await start(world, await world.publishAnew("charge"));
      await atRest(world, run);
      await settled(world, run, 1_000);

      return cameOfPaying(world);
    },
  },
  {
    name: "a tool tried out in an admin's name",
    why: "The web process has the charge tried out: it is paid without a run, a gate or a receipt.",
    run: async (world) => {
      await tryPaying(world, world.desk.people.admin, world.desk.urls.web);
      await until("it is paid", () => Promise.resolve(world.paid() > 0), 6_000).catch(() => undefined);

      return cameOfPaying(world);
    },
  },
  {
    name: "a provider of models in an admin's name",
    why: "The web process sends prompts to a server of the attacker's, on record as an admin's step.",
    run: (world) =>
      stepAs(world, world.desk.people.admin, "models_step", {
        kind: "models_step",
        change: {
          type: "add_provider",
          provider: { id: "theirs", kind: "openai-compatible", name: "Theirs", base_url: "http://127.0.0.1:9/v1", allow_local: true },
          key: null,
        },
      }),
  },
  {
    name: "values shredded in an admin's name",
    why: "The web process destroys what a run holds, on record as an admin's step.",
    run: async (world) => {
      const { admin, second } = world.desk.people;
      const run = await atGate(world);
      await askWorkspace(world, admin, {
        kind: "people_change",
        user: second,
        was: { role: "reviewer", auditor: false },
        standing: { role: "admin", auditor: true },
      });

      return stepAs(world, second, "shred", { kind: "shred", run, scope: { type: "run" }, reason: "leaked" });
    },
  },
];
