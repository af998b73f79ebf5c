/** The web process changes accounts: it lets people in, and has their proofs. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came, cameOfPaying } from "@/bench/adversary/rungs/came";
import { sha256Hex, signsInWith } from "@/bench/adversary/rungs/sign-in";
import { forgeCommand } from "@/bench/adversary/rungs/schema";
import { answerTo, askWorkspace, atGate, decide, decisionOf, settled } from "@/bench/adversary/rungs/world";
import { approvalChallenge } from "@/lib/engine/passkey";
import { createAuthenticator } from "@/lib/engine/testing/authenticator";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";
import { hashPassword } from "@/server/auth/password";

export const ACCOUNT_ATTACKS: readonly Attack[] = [
  {
    name: "a password that its person did not choose",
    why: "The web process sets a reviewer's password, and whoever knows it signs in and approves.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const password = randomBytes(12).toString("hex");
      await world
        .sql("update app_user set password_hash = $2 where id = $1", [reviewer, await hashPassword(password)])
        .catch(() => undefined);
      if (!(await signsInWith(world, reviewer, password))) return came(world, false);
      const run = await atGate(world);
      await decide(world, run, reviewer);
      await settled(world, run, 4_000);

      return came(world, world.paid() > 0);
    },
  },
  {
    name: "a passkey that its person does not hold",
    why: "The web process registers a passkey of its own in a reviewer's name, and signs with it where a passkey is demanded.",
    run: async (world) => {
      const { workspace, people } = world.desk;
      const { reviewer: user } = people;
      const authenticator = await createAuthenticator("eddsa");
      const register = { kind: "passkey_register", passkey: authenticator.passkey, label: "Laptop" };
      const ledger = workspaceLedgerId(workspace);
      await answerTo(world, await forgeCommand(world, { run: ledger, user, session: null, body: register }));
      const run = await atGate(world, "signed");
      const plain = await decisionOf(world, run, "approve", world.versions.signed);
      const { kind: _kind, ...covered } = plain;
      const challenge = approvalChallenge({ v: 1, workspace, run, ...covered, user });
      const body = { ...plain, assertion: await authenticator.assert(challenge) };
      await answerTo(world, await forgeCommand(world, { run, user, session: null, body }));
      await settled(world, run, 4_000);

      return cameOfPaying(world);
    },
  },
  {
    name: "an invite used by somebody else",
    why: "An admin invited a reviewer; the web process lets the attacker in by that invite.",
    run: async (world) => {
      const { workspace, people } = world.desk;
      const invite = randomUUID();
      await askWorkspace(world, people.admin, {
        kind: "people_invite",
        invite,
        hash: sha256Hex(randomBytes(16).toString("hex")),
        email: "new.reviewer@example.com",
        standing: { role: "reviewer", auditor: false },
      });
      const user = randomUUID();
      try {
        await world.sql("insert into app_user (id, email, name) values ($1, 'new.reviewer@example.com', 'Attacker')", [user]);
        await world.sql("update invite set used_at = now(), used_by = $2 where id = $1", [invite, user]);
        await world.sql("insert into membership (workspace_id, user_id, role) values ($1, $2, 'reviewer')", [workspace, user]);
      } catch {
        return came(world, false);
      }
      const run = await atGate(world);
      await decide(world, run, user);
      await settled(world, run, 4_000);

      return came(world, world.paid() > 0);
    },
  },
  {
    name: "a yes through somebody's own session",
    why: "A reviewer is signed in; the web process uses their session for a decision that they did not make.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      // Signed in and at work: they approve one charge themselves.
      const own = await atGate(world);
      await decide(world, own, reviewer);
      await settled(world, own);
      const [session] = await world.sql<{ id: string }>("select id from session where user_id = $1 limit 1", [reviewer]).catch(() => []);
      const run = await atGate(world);
      const body = await decisionOf(world, run);
      await answerTo(world, await forgeCommand(world, { run, user: reviewer, session: session?.id ?? null, body }));
      await settled(world, run, 4_000);

      return cameOfPaying(world, 1);
    },
  },
  {
    name: "a comment that nobody wrote",
    why: "The web process writes into the record of a gate what a reviewer is to have said.",
    run: async (world) => {
      const run = await atGate(world);
      const { approval_id } = await decisionOf(world, run);
      const body = { kind: "comment", approval_id, text: "I called them: this is fine." };
      const answer = await answerTo(world, await forgeCommand(world, { run, user: world.desk.people.reviewer, session: null, body }));

      return came(world, answer === "accepted");
    },
  },
  {
    name: "a secret opened in an auditor's name",
    why: "The web process has a value opened, on record as an auditor who did not look.",
    run: async (world) => {
      const { admin, second } = world.desk.people;
      const standing = { role: "reviewer", auditor: true } as const;
      await askWorkspace(world, admin, { kind: "people_change", user: second, was: { ...standing, auditor: false }, standing });
      const run = await atGate(world);
      const body = { kind: "open_cell", seq: 0, index: 0, purpose: "audit" };
      const answer = await answerTo(world, await forgeCommand(world, { run, user: second, session: null, body }));

      return came(world, answer === "accepted");
    },
  },
  {
    name: "a disabled reviewer's yes",
    why: "An admin disabled a reviewer, and the web process goes on deciding in their name.",
    run: async (world) => {
      const { admin, reviewer } = world.desk.people;
      const run = await atGate(world);
      const body = await decisionOf(world, run);
      await askWorkspace(world, admin, { kind: "people_disable", user: reviewer });
      await answerTo(world, await forgeCommand(world, { run, user: reviewer, session: null, body }));
      await settled(world, run, 4_000);

      return cameOfPaying(world);
    },
  },
];
