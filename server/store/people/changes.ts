/** Runner's role only. */
import { z } from "zod";
import { INVITE_LIFE_MS, standingSchema, type PeopleCommand } from "@/lib/people/command";
import type { PeopleFacts } from "@/lib/people/decide";
import type { MemberInForce } from "@/lib/engine/ledger/members-in-force";
import { isAllowed, PERMISSIONS } from "@/lib/roles";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { getIdentityFacts, linkIdentity, unlinkIdentity } from "./identity-changes";

const inviteSchema = standingSchema.extend({ email: z.string(), hash: z.string() });

const openAt = (at: number) => ({ usedAt: null, revokedAt: null, expiresAt: { gt: new Date(at) } });

const countOtherAdmins = (tx: LedgerTransaction, workspaceId: string, userId: string): Promise<number> =>
  tx.membership.count({
    where: { workspaceId, userId: { not: userId }, role: { in: [...PERMISSIONS["people.manage"]] }, disabledAt: null },
  });

export const getPeopleFacts = async (
  tx: LedgerTransaction,
  workspaceId: string,
  command: PeopleCommand,
  at: number,
): Promise<PeopleFacts> => {
  const member =
    "user" in command
      ? await tx.membership.findFirst({
          where: { workspaceId, userId: command.user },
          select: { role: true, auditor: true, disabledAt: true, user: { select: { hasPassword: true } } },
        })
      : null;
  const open = { workspaceId, ...openAt(at) };
  const invite = command.kind === "people_withdraw" ? await tx.invite.findFirst({ where: { ...open, id: command.invite } }) : null;
  const known =
    command.kind === "people_invite" ? await tx.membership.count({ where: { workspaceId, user: { email: command.email } } }) : 0;

  return {
    ...(await getIdentityFacts(tx, command)),
    person: member && {
      ...standingSchema.parse({ role: member.role, auditor: member.auditor }),
      isDisabled: member.disabledAt !== null,
      hasPassword: member.user.hasPassword === true,
    },
    invite: invite && inviteSchema.parse({ role: invite.role, auditor: invite.auditor, email: invite.email, hash: invite.hash }),
    openInvites: await tx.invite.count({ where: open }),
    isMember: known > 0,
    isElsewhere:
      command.kind === "people_unlink_identity" &&
      (await tx.membership.count({ where: { userId: command.user, workspaceId: { not: workspaceId } } })) > 0,
    hasOtherAdmin: command.kind === "people_leave" && (await countOtherAdmins(tx, workspaceId, command.user)) > 0,
  };
};

const withdrawInvitesOf = (tx: LedgerTransaction, workspaceId: string, userId: string, at: number) =>
  tx.invite.updateMany({
    where: { workspaceId, createdBy: userId, usedAt: null, revokedAt: null },
    data: { revokedAt: new Date(at) },
  });

type Made = {
  readonly by: string;
  /** ms since 1970 */
  readonly at: number;
  readonly seq: number;
};

export const changeStanding = async (
  tx: LedgerTransaction,
  workspaceId: string,
  userId: string,
  { role, auditor, disabled }: MemberInForce,
  atMs: number,
): Promise<void> => {
  await tx.membership.updateMany({ where: { workspaceId, userId }, data: { role, auditor, disabledAt: disabled ? new Date(atMs) : null } });
  if (disabled || !isAllowed(role, "people.manage")) await withdrawInvitesOf(tx, workspaceId, userId, atMs);
};

export const changePeople = async (tx: LedgerTransaction, workspaceId: string, command: PeopleCommand, made: Made): Promise<void> => {
  const { by, at } = made;
  switch (command.kind) {
    case "people_invite": {
      const { invite, hash, email, standing } = command;
      const { role, auditor } = standing;
      const [createdAt, expiresAt] = [new Date(at), new Date(at + INVITE_LIFE_MS)];
      await tx.invite.createMany({ data: { workspaceId, id: invite, hash, email, role, auditor, createdBy: by, createdAt, expiresAt } });
      break;
    }
    case "people_withdraw":
      await tx.invite.updateMany({ where: { workspaceId, id: command.invite }, data: { revokedAt: new Date(at) } });
      break;
    case "people_change": {
      const { role, auditor } = command.standing;
      await tx.membership.updateMany({ where: { workspaceId, userId: command.user }, data: { role, auditor } });
      if (!isAllowed(role, "people.manage")) await withdrawInvitesOf(tx, workspaceId, command.user, at);
      break;
    }
    case "people_disable":
    case "people_leave":
      await tx.membership.updateMany({ where: { workspaceId, userId: command.user }, data: { disabledAt: new Date(at) } });
      await withdrawInvitesOf(tx, workspaceId, command.user, at);
      break;
    case "people_enable":
      await tx.membership.updateMany({ where: { workspaceId, userId: command.user }, data: { disabledAt: null } });
      break;
    case "people_end_sessions":
    case "people_sign_out":
      break;
    case "people_link_identity":
      await linkIdentity(tx, command, made);
      break;
    case "people_unlink_identity":
      await unlinkIdentity(tx, command);
      break;
    default:
      command satisfies never;
  }
};
