import { z } from "zod";
import { roleSchema } from "@/lib/roles";
import { getDatabase, getPool } from "@/server/db/client";
import { columnsOf, queryRow } from "@/server/store/sql/rows";

const inviteRow = z.object({
  id: z.string(),
  workspaceId: z.string(),
  workspace: z.string(),
  email: z.string(),
  role: roleSchema,
  auditor: z.boolean(),
  known: z.boolean(),
});
export type OpenInvite = z.infer<typeof inviteRow> & { readonly hash: string };

export const findOpenInvite = async (hash: string, now: Date): Promise<OpenInvite | null> => {
  const text = `select ${columnsOf(inviteRow)} from open_invite($1, $2)`;
  const invite = await queryRow(getPool(), inviteRow, { text, values: [hash, now] });

  return invite && { ...invite, hash };
};

/** Runner's role only. */
export const findInviteWorkspace = async (hash: string): Promise<string | null> =>
  (await getDatabase().invite.findUnique({ where: { hash }, select: { workspaceId: true } }))?.workspaceId ?? null;

/** Workspace of the newest open invite, except demos. Runner's role only. */
export const findWorkspaceInviting = async (email: string, now: Date): Promise<string | null> => {
  const { invite, workspace } = getDatabase();
  const open = await invite.findMany({
    where: { email, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
    orderBy: { createdAt: "desc" },
    select: { workspaceId: true },
  });
  const ids = open.map(({ workspaceId }) => workspaceId);
  const others = await workspace.findMany({ where: { id: { in: ids }, demo: false }, select: { id: true } });

  return ids.find((id) => others.some((other) => other.id === id)) ?? null;
};
