import { randomBytes, randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import { sha256Hex, canSignIn } from "@/bench/adversary/rungs/sign-in";
import { insertMember, linkIdentity, setRole } from "@/bench/adversary/rungs/schema";
import {
  buildDecision,
  notifyRunner,
  waitForAnswer,
  sendCommand,
  sendWorkspaceCommand,
  startToGate,
  decideAs,
  waitForEnd,
} from "@/bench/adversary/rungs/world";
import type { World } from "@/bench/adversary/rungs/world";
import type { CommandBody } from "@/lib/engine/proposal";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import type { SessionKey } from "@/server/security/session-key";
import { openTestSession, writeCommand } from "@/server/testing/authority";
import { hashPassword } from "@/server/auth/password";
import { signInWithIdentity } from "@/server/runner/sign-in/identity";

const payOnApprovalOf = async (world: World, user: string) => {
  const run = await startToGate(world);
  await decideAs(world, run, user);
  await waitForEnd(world, run);

  return reportOutcome(world, world.countPayments() > 0);
};

const signedOutSession = async (world: World): Promise<SessionKey> => {
  const { desk } = world;
  const { reviewer } = desk.people;
  const session = await openTestSession(desk.urls.admin, reviewer);
  const body = { kind: "people_sign_out", user: reviewer, session: session.id, keep: null } as const;
  if ((await sendThrough(world, session, getWorkspaceLedgerId(desk.workspace), body)) !== "accepted")
    throw new Error("the sign-out was not accepted");

  return session;
};

const sendThrough = async (world: World, session: SessionKey, runId: string, body: CommandBody | WorkspaceCommand): Promise<string> => {
  const { desk } = world;
  const author = { type: "user", id: desk.people.reviewer, session } as const;
  const id = await writeCommand(desk.urls.admin, desk.deps, { workspace: desk.workspace, runId, author, body });
  await notifyRunner(world, runId);

  return waitForAnswer(world, id);
};

export const PEOPLE_ATTACKS: readonly Attack[] = [
  {
    name: "revive a session that its person has ended",
    why: "Clear revoked_at of a reviewer's session, and approve with the cookie that was left of it.",
    run: async (world) => {
      const session = await signedOutSession(world);
      const run = await startToGate(world);
      await world.sql("update session set revoked_at = null where id = $1", [session.id]);
      await sendThrough(world, session, run, await buildDecision(world, run));
      await waitForEnd(world, run);

      return reportOutcome(world, world.countPayments() > 0);
    },
  },
  {
    name: "change a membership row",
    why: "Make a viewer a reviewer in membership.",
    run: async (world) => {
      await setRole(world, world.desk.people.viewer, "reviewer");

      return payOnApprovalOf(world, world.desk.people.viewer);
    },
  },
  {
    name: "insert a member",
    why: "Insert an account with a reviewer's membership.",
    run: async (world) => payOnApprovalOf(world, await insertMember(world, "reviewer")),
  },
  {
    name: "re-enable a disabled person",
    why: "Clear disabled_at of a reviewer whom an admin disabled.",
    run: async (world) => {
      const { admin, reviewer } = world.desk.people;
      await sendWorkspaceCommand(world, admin, { kind: "people_disable", user: reviewer });
      await world.sql("update membership set disabled_at = null where user_id = $1", [reviewer]);

      return payOnApprovalOf(world, reviewer);
    },
  },
  {
    name: "set a password hash",
    why: "Store the hash of a known password for a reviewer, sign in and approve.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const password = randomBytes(12).toString("hex");
      await world.sql("update app_user set password_hash = $2 where id = $1", [reviewer, await hashPassword(password)]);
      if (!(await canSignIn(world, reviewer, password))) return reportOutcome(world, false);

      return payOnApprovalOf(world, reviewer);
    },
  },
  {
    name: "link an identity",
    why: "Insert a link from the attacker's subject at the identity provider to a reviewer's account.",
    run: async (world) => {
      const issuer = "https://login.example.com";
      const subject = randomUUID();
      const claims = { iss: issuer, sub: subject, email: "attacker@example.com", email_verified: true, name: "Attacker" };
      await linkIdentity(world, { issuer, subject }, world.desk.people.reviewer);
      // No provider here could sign a token.
      const verifyIdToken = () =>
        Promise.resolve({ claims, rules: { issuer, allowedDomains: [] }, payload: claims, digest: sha256Hex(subject) });
      const request = { type: "identity", token: "signed", public_key: "a".repeat(43), address: "", user_agent: "" } as const;
      const answer = await signInWithIdentity({ ...world.desk.deps, verifyIdToken }, request);
      if (answer.status !== "ok") {
        if (answer.status === "refused" && answer.code === "authority_mismatch") world.denied.push("sign-in: authority_mismatch");

        return reportOutcome(world, false);
      }

      return payOnApprovalOf(world, answer.user);
    },
  },
  {
    name: "insert an invite",
    why: "Insert an invite for a reviewer and accept it through the product's link.",
    run: async (world) => {
      const token = randomBytes(16).toString("hex");
      await world.sql(
        `insert into invite (workspace_id, id, hash, email, role, created_by, created_at, expires_at)
         values ($1, $2, $3, 'outsider@example.com', 'reviewer', $4, now(), now() + interval '1 hour')`,
        [world.desk.workspace, randomUUID(), sha256Hex(token), world.desk.people.admin],
      );
      const newcomer = randomUUID();
      const body = { kind: "member_join", token, name: "Outsider", password_hash: "x".repeat(30) } as const;
      await sendWorkspaceCommand(world, newcomer, body);

      return payOnApprovalOf(world, newcomer);
    },
  },
  {
    name: "grant the auditor add-on",
    why: "Set the auditor flag of a reviewer's membership and open a secret value.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const run = await startToGate(world);
      const [cell] = await world.sql<{ seq: number; index: number }>(
        "select seq, index from cell where run_id = $1 and path = 'account' limit 1",
        [run],
      );
      await world.sql("update membership set auditor = true where user_id = $1", [reviewer]);
      const body = { kind: "open_cell", seq: cell?.seq ?? 0, index: cell?.index ?? 0, purpose: "audit" } as const;

      return reportOutcome(world, (await waitForAnswer(world, await sendCommand(world, reviewer, run, body))) === "accepted");
    },
  },
];
