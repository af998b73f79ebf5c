import { randomBytes, randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome, reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { sha256Hex, canSignIn } from "@/bench/adversary/rungs/sign-in";
import { runForgeCommand } from "@/bench/adversary/rungs/schema";
import { waitForAnswer, sendWorkspaceCommand, startToGate, decideAs, buildDecision, waitForEnd } from "@/bench/adversary/rungs/world";
import { computeApprovalChallenge } from "@/lib/engine/approvals/passkey";
import { createAuthenticator } from "@/lib/engine/testing/authenticator";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { hashPassword } from "@/server/auth/password";

export const ACCOUNT_ATTACKS: readonly Attack[] = [
  {
    name: "set a person's password",
    why: "Store the hash of a known password for a reviewer, sign in and approve.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const password = randomBytes(12).toString("hex");
      await world.sql("update app_user set password_hash = $2 where id = $1", [reviewer, await hashPassword(password)]);
      if (!(await canSignIn(world, reviewer, password))) return reportOutcome(world, false);
      const run = await startToGate(world);
      await decideAs(world, run, reviewer);
      await waitForEnd(world, run);

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
  {
    name: "register a passkey in a reviewer's name",
    why: "Register the attacker's passkey for a reviewer and sign a decision that demands one.",
    run: async (world) => {
      const { workspace, people } = world.desk;
      const { reviewer: user } = people;
      const authenticator = await createAuthenticator("eddsa");
      const register = { kind: "passkey_register", passkey: authenticator.passkey, label: "Laptop" };
      const ledger = getWorkspaceLedgerId(workspace);
      await waitForAnswer(world, await runForgeCommand(world, { run: ledger, user, body: register }));
      const run = await startToGate(world, "signed");
      const plain = await buildDecision(world, run, "approve", world.versions.signed);
      const { kind: _kind, ...covered } = plain;
      const challenge = computeApprovalChallenge({ v: 1, workspace, run, ...covered, user });
      const body = { ...plain, assertion: await authenticator.assert(challenge) };
      await waitForAnswer(world, await runForgeCommand(world, { run, user, body }));
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "use another person's invite",
    why: "Let the attacker in by an invite that an admin made for another person.",
    run: async (world) => {
      const { workspace, people } = world.desk;
      const invite = randomUUID();
      await sendWorkspaceCommand(world, people.admin, {
        kind: "people_invite",
        invite,
        hash: sha256Hex(randomBytes(16).toString("hex")),
        email: "new.reviewer@example.com",
        standing: { role: "reviewer", auditor: false },
      });
      const user = randomUUID();
      await world.sql("insert into app_user (id, email, name) values ($1, 'new.reviewer@example.com', 'Attacker')", [user]);
      await world.sql("update invite set used_at = now(), used_by = $2 where id = $1", [invite, user]);
      await world.sql("insert into membership (workspace_id, user_id, role) values ($1, $2, 'reviewer')", [workspace, user]);
      const run = await startToGate(world);
      await decideAs(world, run, user);
      await waitForEnd(world, run);

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
  {
    name: "approve through a reviewer's own session",
    why: "Decide a second request through the session of a reviewer who is signed in.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      // Once signed in, they approve one charge themselves.
      const own = await startToGate(world);
      await decideAs(world, own, reviewer);
      await waitForEnd(world, own);
      const run = await startToGate(world);
      const body = await buildDecision(world, run);
      await waitForAnswer(world, await runForgeCommand(world, { run, user: reviewer, body }));
      await waitForEnd(world, run);

      return reportPayments(world, 1);
    },
  },
  {
    name: "comment in a reviewer's name",
    why: "Write a comment into the record of a gate in a reviewer's name.",
    run: async (world) => {
      const run = await startToGate(world);
      const { approval_id } = await buildDecision(world, run);
      const body = { kind: "comment", approval_id, text: "I called them: this is fine." };
      const answer = await waitForAnswer(world, await runForgeCommand(world, { run, user: world.desk.people.reviewer, body }));

      return reportOutcome(world, answer === "accepted");
    },
  },
  {
    name: "open a value in an auditor's name",
    why: "Have a secret value opened, on record as an auditor who did not look.",
    run: async (world) => {
      const { admin, second } = world.desk.people;
      const standing = { role: "reviewer", auditor: true } as const;
      await sendWorkspaceCommand(world, admin, { kind: "people_change", user: second, was: { ...standing, auditor: false }, standing });
      const run = await startToGate(world);
      const body = { kind: "open_cell", seq: 0, index: 0, purpose: "audit" };
      const answer = await waitForAnswer(world, await runForgeCommand(world, { run, user: second, body }));

      return reportOutcome(world, answer === "accepted");
    },
  },
  {
    name: "approve as a disabled reviewer",
    why: "Decide in the name of a reviewer whom an admin disabled.",
    run: async (world) => {
      const { admin, reviewer } = world.desk.people;
      const run = await startToGate(world);
      const body = await buildDecision(world, run);
      await sendWorkspaceCommand(world, admin, { kind: "people_disable", user: reviewer });
      await waitForAnswer(world, await runForgeCommand(world, { run, user: reviewer, body }));
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
];
