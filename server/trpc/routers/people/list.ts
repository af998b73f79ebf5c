import { openAllowance, listPasskeysOfPerson } from "@/lib/engine/ledger/passkey-fold";
import { systemClock } from "@/server/clock";
import { SESSION_LIFE_MS } from "@/server/store/people/sessions";
import { listInvites, listMembers } from "@/server/store/people/members";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";

/** Excludes tokens and hashes. */
export const peopleList = createProcedure("people.read").query(async ({ ctx: { workspaceId } }) => {
  const nowMs = systemClock.now();
  const [members, invites, { passkeys: fold, approvers }] = await Promise.all([
    listMembers(workspaceId, new Date(nowMs - SESSION_LIFE_MS)),
    listInvites(workspaceId, nowMs),
    readAuthority(workspaceId),
  ]);

  return {
    members: members.map((member) => ({
      ...member,
      passkeys: listPasskeysOfPerson(fold, member.id).filter(({ revokedAt }) => revokedAt === null).length,
      /** By groups of the provider. */
      isManaged: approvers.directory.inForce !== null && approvers.directory.managed.get(member.id) === true,
      /** Deadline without a signature, ms since 1970. */
      passkeyAllowedUntil: openAllowance(fold, member.id, nowMs)?.expiresAt ?? null,
    })),
    invites,
  };
});
