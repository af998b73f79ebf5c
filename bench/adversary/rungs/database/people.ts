/** A writer of the database makes people what they are not. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came } from "@/bench/adversary/rungs/came";
import { sha256Hex, signsInWith } from "@/bench/adversary/rungs/sign-in";
import { insertMember, linkIdentity, setRole } from "@/bench/adversary/rungs/schema";
import { answerTo, ask, askWorkspace, atGate, decide, settled } from "@/bench/adversary/rungs/world";
import type { World } from "@/bench/adversary/rungs/world";
import { hashPassword } from "@/server/auth/password";
import { signInWithOidc } from "@/server/auth/oidc-sign-in";
import { joinByLink } from "@/server/store/invites";

/** A charge is paid on the yes of somebody who may not give it. */
const paidBy = async (world: World, user: string) => {
  const run = await atGate(world);
  await decide(world, run, user);
  await settled(world, run, 4_000);

  return came(world, world.paid() > 0);
};

export const PEOPLE_ATTACKS: readonly Attack[] = [
  {
    name: "a viewer's row that says reviewer",
    why: "A changed membership row lets a viewer approve.",
    run: async (world) => {
      await setRole(world, world.desk.people.viewer, "reviewer");

      return paidBy(world, world.desk.people.viewer);
    },
  },
  {
    name: "a member whom nobody invited",
    why: "An inserted account with an inserted membership approves.",
    run: async (world) => paidBy(world, await insertMember(world, "reviewer")),
  },
  {
    name: "a disabled person who is back",
    why: "An admin disabled a reviewer; the row says otherwise again.",
    run: async (world) => {
      const { admin, reviewer } = world.desk.people;
      await askWorkspace(world, admin, { kind: "people_disable", user: reviewer });
      await world.sql("update app_user set disabled_at = null where id = $1", [reviewer]);

      return paidBy(world, reviewer);
    },
  },
  {
    name: "a password of the attacker's",
    why: "A reviewer's row gets a hash of a password that the attacker knows, who signs in as them and approves.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const password = randomBytes(12).toString("hex");
      await world.sql("update app_user set password_hash = $2 where id = $1", [reviewer, await hashPassword(password)]);
      if (!(await signsInWith(world, reviewer, password))) return came(world, false);

      return paidBy(world, reviewer);
    },
  },
  {
    name: "an identity linked to another's account",
    why: "An inserted row links the attacker's subject at the identity provider to a reviewer's account.",
    run: async (world) => {
      const issuer = "https://login.example.com";
      const subject = randomUUID();
      await linkIdentity(world, { issuer, subject }, world.desk.people.reviewer);
      const outcome = await signInWithOidc({ iss: issuer, sub: subject }, { issuer, allowedDomains: [] });
      if (outcome.status !== "ok") return came(world, false);

      return paidBy(world, outcome.claims.userId);
    },
  },
  {
    name: "an invite that no admin gave",
    why: "An inserted invite lets the attacker in as a reviewer, by the product's own link.",
    run: async (world) => {
      const token = randomBytes(16).toString("hex");
      await world.sql(
        `insert into invite (workspace_id, id, hash, email, role, created_by, created_at, expires_at)
         values ($1, $2, $3, 'outsider@example.com', 'reviewer', $4, now(), now() + interval '1 hour')`,
        [world.desk.workspace, randomUUID(), sha256Hex(token), world.desk.people.admin],
      );
      const newcomer = { userId: randomUUID(), name: "Outsider", passwordHash: null };
      const email = await world.asWeb(() => joinByLink(sha256Hex(token), newcomer, new Date()));
      if (email === null) return came(world, false);

      return paidBy(world, newcomer.userId);
    },
  },
  {
    name: "an auditor whom nobody made one",
    why: "A changed row lets a reviewer open a secret value.",
    run: async (world) => {
      const { reviewer } = world.desk.people;
      const run = await atGate(world);
      const [cell] = await world.sql<{ seq: number; index: number }>(
        "select seq, index from cell where run_id = $1 and path = 'account' limit 1",
        [run],
      );
      await world.sql("update membership set auditor = true where user_id = $1", [reviewer]);
      const body = { kind: "open_cell", seq: cell?.seq ?? 0, index: cell?.index ?? 0, purpose: "audit" } as const;

      return came(world, (await answerTo(world, await ask(world, reviewer, run, body))) === "accepted");
    },
  },
];
