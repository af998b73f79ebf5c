import { randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { TILL } from "@/bench/adversary/rungs/graphs";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import { insertRegistryCommand } from "@/bench/adversary/rungs/schema";
import { sha256Hex } from "@/bench/adversary/rungs/sign-in";
import { sendWorkspaceCommand, type World } from "@/bench/adversary/rungs/world";
import { changeToSign, toPeopleChange } from "@/lib/admin-change";
import { countersignatureChallenge } from "@/lib/engine/ledger/countersignable";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { DEFAULT_TOKEN_LIMITS } from "@/lib/outside/token-limits";
import type { PeopleCommand } from "@/lib/people/command";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { queryOn } from "@/server/testing/connections";
import { openTestSession } from "@/server/testing/authority";
import { askAs, demandPasskeys } from "./observed-session";

type Honest = Parameters<typeof sendWorkspaceCommand>[2];

const must = async (world: World, user: string, body: Honest): Promise<void> => {
  const answer = await sendWorkspaceCommand(world, user, body);
  if (answer !== "accepted") throw new Error(`${body.kind}: ${answer}`);
};

/** @returns their passkey */
const adminWithPasskey = async (world: World): Promise<{ readonly admin: string; readonly own: Authenticator }> => {
  const { admin: first, builder: admin } = world.desk.people;
  const own = await createAuthenticator("es256");
  const was = { role: "builder", auditor: false } as const;
  await must(world, first, { kind: "people_change", user: admin, was, standing: { role: "admin", auditor: false } });
  await must(world, first, { kind: "passkey_allow", allowance: randomUUID(), user: admin });
  await must(world, admin, { kind: "passkey_register", passkey: own.passkey, label: "Laptop" });
  await demandPasskeys(world);

  return { admin, own };
};

const EMAIL = "attacker@example.com";

const inviteOf = (email: string): Extract<PeopleCommand, { kind: "people_invite" }> => ({
  kind: "people_invite",
  invite: randomUUID(),
  hash: sha256Hex(randomUUID()),
  email,
  standing: { role: "reviewer", auditor: false },
});

const has = async ({ desk }: World, sql: string, values: unknown[]): Promise<boolean> =>
  (await queryOn(desk.urls.admin, sql, values)).length > 0;
const isInvited = (world: World, email = EMAIL) => has(world, "select 1 from invite where email = $1", [email]);

export const ADMIN_ATTACKS: readonly Attack[] = [
  {
    name: "invites its own person with a seen admin session",
    why: "Invite an address of the attacker's in the session of an admin who has a passkey.",
    run: async (world) => {
      const { admin } = await adminWithPasskey(world);
      await askAs(world, admin, inviteOf(EMAIL));

      return reportOutcome(world, await isInvited(world));
    },
  },
  {
    name: "invites its own person with the signature for another",
    why: "Replace the address of an invite that the admin signs, and send the signature of an earlier one again.",
    run: async (world) => {
      const { admin, own } = await adminWithPasskey(world);
      const wanted = inviteOf("ana@example.com");
      const request = randomUUID();
      const { change } = toPeopleChange(wanted, admin) ?? {};
      if (!change) throw new Error("an invite takes no signature");
      const signed = {
        request,
        assertion: await own.assert(countersignatureChallenge(world.desk.workspace, admin, changeToSign(change, request))),
      };
      await askAs(world, admin, { ...inviteOf(EMAIL), signed });
      await must(world, admin, { ...wanted, signed });
      const again = inviteOf("ana@example.com");
      await askAs(world, admin, { ...again, signed });

      return reportOutcome(world, (await isInvited(world)) || (await has(world, "select 1 from invite where id = $1", [again.invite])));
    },
  },
  {
    name: "revokes an admin's passkeys and invites then",
    why: "Revoke every passkey of the admin in their session, so that nothing could be signed, and invite or let in the attacker's person.",
    run: async (world) => {
      const { admin, own } = await adminWithPasskey(world);
      await askAs(world, admin, { kind: "passkey_revoke", credential_id: own.passkey.credential_id });
      await askAs(world, admin, inviteOf(EMAIL));
      const { viewer } = world.desk.people;
      const answer = await askAs(world, admin, { kind: "passkey_allow", allowance: randomUUID(), user: viewer });

      return reportOutcome(world, (await isInvited(world)) || answer === "accepted");
    },
  },
  {
    name: "raises a role with a seen admin session",
    why: "Make a viewer a reviewer in the session of an admin who has a passkey.",
    run: async (world) => {
      const { admin } = await adminWithPasskey(world);
      const { viewer: user } = world.desk.people;
      const was = { role: "viewer", auditor: false };
      await askAs(world, admin, { kind: "people_change", user, was, standing: { role: "reviewer", auditor: true } });

      return reportOutcome(world, await has(world, "select 1 from membership where user_id = $1 and role <> 'viewer'", [user]));
    },
  },
  {
    name: "lets a disabled person in again with a seen admin session",
    why: "Enable a reviewer whom an admin disabled, in the session of an admin who has a passkey.",
    run: async (world) => {
      const { admin } = await adminWithPasskey(world);
      const { reviewer: user } = world.desk.people;
      await must(world, world.desk.people.admin, { kind: "people_disable", user });
      await askAs(world, admin, { kind: "people_enable", user });

      return reportOutcome(world, await has(world, "select 1 from membership where user_id = $1 and disabled_at is null", [user]));
    },
  },
  {
    name: "relabels a tool with a seen admin session",
    why: "Call the charge a read in the session of an admin who has a passkey.",
    run: async (world) => {
      const { admin } = await adminWithPasskey(world);
      await insertRegistryCommand(world, admin, await openTestSession(world.desk.urls.admin, admin));

      return reportOutcome(
        world,
        await has(world, "select 1 from mcp_tool where server_id = $1 and name = $2 and effect = 'read'", [TILL.server, TILL.pays]),
      );
    },
  },
  {
    name: "makes an agent's token with a seen admin session",
    why: "Make a token whose inputs count as an admin's word, in the session of an admin who has a passkey.",
    run: async (world) => {
      const { admin } = await adminWithPasskey(world);
      const token = {
        id: randomUUID(),
        name: "Attacker",
        hash: sha256Hex(randomUUID()),
        publicKey: getPublicKey(generateSessionSeed()),
        hint: "cs_",
        audience: "http://127.0.0.1",
        scopes: ["run.read", "run.drive"],
        graphs: null,
        integrity: "trusted",
        strictErrors: false,
        singleBlock: false,
        limits: DEFAULT_TOKEN_LIMITS,
        lifetimeMs: 86_400_000,
      };
      await askAs(world, admin, { kind: "token_mint", token });

      return reportOutcome(world, await has(world, "select 1 from agent_token where id = $1", [token.id]));
    },
  },
];
