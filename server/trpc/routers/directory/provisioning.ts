import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import type { WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import { makesAdmins } from "@/lib/people/directory";
import { isTokenInForce } from "@/lib/people/provision-fold";
import { REFUSALS } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { toLocation } from "@/server/scim/request";
import { listDirectoryUsers } from "@/server/store/people/directory-users";
import { getNames } from "@/server/store/people/people";

export const describeProvisioning = async (workspaceId: string, authority: WorkspaceAuthority, me: string) => {
  const { inForce, provision } = authority.approvers.directory;
  const mapping = inForce?.directory ?? null;
  const members = listMembersInForce(authority);
  const now = systemClock.now();
  const { total } = await listDirectoryUsers(workspaceId, {}, { skip: 0, take: 0 });
  const refused = provision.refused.map((refusal) => ({ ...refusal, message: REFUSALS[refusal.code].message }));
  const makers = [...provision.tokens.values()].map(({ by }) => by);
  const names = await getNames(workspaceId, [...makers, ...refused.map(({ subject }) => subject)]);

  return {
    address: toLocation("").replace(/\/$/u, ""),
    people: total,
    groups: provision.groups.size,
    tokens: [...provision.tokens].map(([id, token]) => {
      const maker = members.get(token.by);

      return {
        id,
        byName: names[token.by] ?? "a former member",
        isOwn: token.by === me,
        isMakerAdmin: maker !== undefined && !maker.disabled && isAllowed(maker.role, "people.manage"),
        madeAt: token.madeAt,
        expiresAt: token.expiresAt,
        usedAt: token.usedAt,
        status:
          token.expiresAt <= now ? ("expired" as const) : isTokenInForce(token, mapping, now) ? ("active" as const) : ("waiting" as const),
      };
    }),
    needsSecondAdmin: makesAdmins(mapping),
    refused: refused.map(({ seq, at, kind, subject, message }) => ({
      seq,
      at,
      what: kind.replace(/^provision_/u, "").replaceAll("_", " "),
      name: names[subject] ?? provision.groups.get(subject)?.name ?? "not here yet",
      message,
    })),
  };
};
