/** What somebody with an invite sees of it. */
import { roleSchema, type Role } from "@/lib/roles";
import { database } from "@/server/db/client";

export type OpenInvite = {
  readonly id: string;
  readonly hash: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: Role;
  readonly auditor: boolean;
  readonly workspace: string;
};

const open = (named: { readonly hash: string } | { readonly email: string }, now: Date) => ({
  ...named,
  usedAt: null,
  revokedAt: null,
  expiresAt: { gt: now },
});

/** The invite with this hash as it may be shown to whoever has the link; null: it lets nobody in (any more). */
export const findOpenInvite = async (hash: string, now: Date): Promise<OpenInvite | null> => {
  const invite = await database().invite.findFirst({ where: open({ hash }, now) });
  const role = roleSchema.safeParse(invite?.role);
  if (invite === null || !role.success) return null;
  const workspace = await database().workspace.findUnique({ where: { id: invite.workspaceId }, select: { name: true } });

  return (
    workspace && {
      id: invite.id,
      hash: invite.hash,
      workspaceId: invite.workspaceId,
      email: invite.email,
      role: role.data,
      auditor: invite.auditor,
      workspace: workspace.name,
    }
  );
};

/** The workspace whose newest open invite names an address, demos apart: anybody on this machine is an admin of a demo. */
export const workspaceInviting = async (email: string, now: Date): Promise<string | null> => {
  const demos = await database().workspace.findMany({ where: { demo: true }, select: { id: true } });
  const where = { ...open({ email }, now), workspaceId: { notIn: demos.map(({ id }) => id) } };

  return (await database().invite.findFirst({ where, orderBy: { createdAt: "desc" }, select: { workspaceId: true } }))?.workspaceId ?? null;
};
