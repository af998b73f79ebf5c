/** With the sealing key of commands. */
import { randomUUID } from "node:crypto";
import type { Attack, Report } from "@/bench/adversary/rungs/attack";
import { reportOutcome, reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { tryPayment } from "@/bench/adversary/rungs/console";
import { findForgedRecords } from "@/bench/adversary/rungs/facts";
import { borrowSession, runForgeCommand, insertRegistryCommand, mintSession } from "@/bench/adversary/rungs/schema";
import { publishFromRegistry } from "@/bench/adversary/rungs/publishing";
import { until } from "@/bench/adversary/rungs/until";
import {
  waitForAnswer,
  sendWorkspaceCommand,
  startToGate,
  decideAs,
  buildDecision,
  readRunRow,
  waitForEnd,
  startRun,
  type World,
} from "@/bench/adversary/rungs/world";
import type { SessionKey } from "@/server/security/session-key";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";

const approveAs = async (world: World, user: string, session?: SessionKey | null): Promise<Report> => {
  const run = await startToGate(world);
  const id = await runForgeCommand(world, { run, user, session, body: await buildDecision(world, run) });
  await waitForAnswer(world, id);
  await waitForEnd(world, run);

  return reportPayments(world);
};

const recordStepAs = async (
  world: World,
  user: string,
  kind: string,
  body: Parameters<typeof runForgeCommand>[1]["body"],
): Promise<Report> => {
  const id = await runForgeCommand(world, { run: getWorkspaceLedgerId(world.desk.workspace), user, body });
  const answer = await waitForAnswer(world, id);

  return reportOutcome(world, answer === "accepted" && (await findForgedRecords(world, kind)).length > 0);
};

export const NAME_ATTACKS: readonly Attack[] = [
  {
    name: "approve in a reviewer's name",
    why: "Insert a sealed decision in the name of a reviewer who never saw the request.",
    run: (world) => approveAs(world, world.desk.people.reviewer, null),
  },
  {
    name: "approve through a minted session",
    why: "Insert a session for an absent reviewer and decide through it.",
    run: async (world) => {
      const { reviewer } = world.desk.people;

      return approveAs(world, reviewer, await mintSession(world, reviewer));
    },
  },
  {
    name: "reuse a reviewer's presence",
    why: "Wait until a reviewer decides one request, then decide another one in their name.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const [meant, other] = [await startToGate(world), await startToGate(world)];
      await decideAs(world, meant, reviewer);
      await waitForEnd(world, meant);
      const id = await runForgeCommand(world, { run: other, user: reviewer, body: await buildDecision(world, other) });
      await waitForAnswer(world, id);
      await waitForEnd(world, other);

      return reportPayments(world, 1);
    },
  },
  {
    name: "start a run in a builder's name",
    why: "Insert a sealed start in a builder's name.",
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
      await runForgeCommand(world, { run, user: world.desk.people.starter, body });
      await waitForEnd(world, run);

      return reportOutcome(world, (await findForgedRecords(world, "start")).length > 0);
    },
  },
  {
    name: "edit a request in a reviewer's name",
    why: "Change the arguments of a waiting call in one reviewer's name for another reviewer to approve.",
    run: async (world) => {
      const { second } = world.desk.people;
      const run = await startToGate(world);
      const { approval_id, transition_digest, nonce } = await buildDecision(world, run);
      const body = { kind: "edit", approval_id, transition_digest, nonce, change: { arguments: { text: "the attacker's account" } } };
      await waitForAnswer(world, await runForgeCommand(world, { run, user: second, body }));

      return reportOutcome(world, (await findForgedRecords(world, "edit")).length > 0);
    },
  },
  {
    name: "cancel a run in a builder's name",
    why: "Insert a sealed cancellation in a builder's name.",
    run: async (world) => {
      const run = await startToGate(world);
      await waitForAnswer(world, await runForgeCommand(world, { run, user: world.desk.people.starter, body: { kind: "cancel" } }));

      return reportOutcome(world, (await readRunRow(world, run))?.status === "cancelled");
    },
  },
  {
    name: "promote a viewer in an admin's name",
    why: "Have an admin make a viewer a reviewer, then approve as that viewer.",
    run: async (world) => {
      const { admin, viewer } = world.desk.people;
      const [was, standing] = [
        { role: "viewer", auditor: false },
        { role: "reviewer", auditor: false },
      ];
      const run = await startToGate(world);
      const body = { kind: "people_change", user: viewer, was, standing };
      const ledger = getWorkspaceLedgerId(world.desk.workspace);
      await waitForAnswer(world, await runForgeCommand(world, { run: ledger, user: admin, body }));
      await decideAs(world, run, viewer);
      await waitForEnd(world, run);

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
  {
    name: "relabel a tool in an admin's name",
    why: "Insert a registry command in an admin's name that labels the charge a read.",
    run: async (world) => {
      await insertRegistryCommand(world, world.desk.people.admin);
      const version = await publishFromRegistry(world, "charge");
      if (typeof version === "string") return reportOutcome(world, false);
      await waitForEnd(world, await startRun(world, version));

      return reportPayments(world);
    },
  },
  {
    name: "call a tool from the console in an admin's name",
    why: "Insert a console call: the tool is called without a run, an approval or a receipt.",
    run: async (world) => {
      const { admin } = world.desk.people;
      await tryPayment(world, admin, { session: await borrowSession(world, admin), sql: world.sql });
      await until("it is paid", () => Promise.resolve(world.countPayments() > 0), 6_000).catch(() => undefined);

      return reportPayments(world);
    },
  },
  {
    name: "add a model provider in an admin's name",
    why: "Send prompts to the attacker's server, on record as an admin's step.",
    run: (world) =>
      recordStepAs(world, world.desk.people.admin, "models_step", {
        kind: "models_step",
        change: {
          type: "add_provider",
          provider: { id: "theirs", kind: "openai-compatible", name: "Theirs", base_url: "http://127.0.0.1:9/v1", allow_local: true },
          key: null,
        },
      }),
  },
  {
    name: "shred values in an admin's name",
    why: "Destroy a run's values, on record as an admin's step.",
    run: async (world) => {
      const { admin, second } = world.desk.people;
      const run = await startToGate(world);
      await sendWorkspaceCommand(world, admin, {
        kind: "people_change",
        user: second,
        was: { role: "reviewer", auditor: false },
        standing: { role: "admin", auditor: true },
      });

      return recordStepAs(world, second, "shred", { kind: "shred", run, scope: { type: "run" }, reason: "leaked" });
    },
  },
];
