import { computeMemberDigest, computeWorkspaceDigest } from "@/lib/engine/ledger/settings-digests";
import { isAllowed } from "@/lib/roles";
import { readEnv } from "@/server/env";
import { listSessionMemberships, type SessionMembership } from "@/server/store/people/session-memberships";
import { createProcedure } from "@/server/trpc/init";
import { catchMismatch, confirmRow } from "@/server/web/authority";
import { countWaitingFor } from "@/server/web/count-waiting";

const find = (rows: readonly SessionMembership[], id: string) => rows.find(({ workspaceId }) => workspaceId === id) ?? null;

const confirm = (sessionId: string, row: SessionMembership): Promise<SessionMembership | null> =>
  catchMismatch(
    confirmRow(
      row.workspaceId,
      row as SessionMembership | null,
      async () => find(await listSessionMemberships(sessionId), row.workspaceId),
      (found) =>
        found === null
          ? []
          : [
              { area: "people", subject: found.userId, digest: computeMemberDigest(found, false) },
              { area: "workspace", subject: found.workspaceId, digest: computeWorkspaceDigest(found) },
            ],
    ),
    null,
  );

const toListed = async ({ workspaceId, userId, name, role, auditor, isCurrent }: SessionMembership) => {
  const counts = isAllowed(role, "approval.read", auditor) ? await countWaitingFor({ workspaceId, userId, role }) : null;

  return { id: workspaceId, name, role, auditor, isCurrent, waiting: counts ? counts.open + counts.publishing : 0 };
};

export const sessionWorkspaces = createProcedure("settings.own").query(async ({ ctx: { session, role, isDemo } }) => {
  const confirmed = await Promise.all((await listSessionMemberships(session.id)).map((row) => confirm(session.id, row)));
  const workspaces = await Promise.all(confirmed.flatMap((row) => (row ? [toListed(row)] : [])));
  const isAllowedToCreate = readEnv().COUNTERSIGN_NEW_WORKSPACES === "admins" && isAllowed(role, "people.manage") && !isDemo;

  return { workspaces, mayCreate: isAllowedToCreate };
});
