import { z } from "zod";
import { roleSchema, type Role } from "@/lib/roles";
import { getPool } from "@/server/db/client";

export type OpenInvite = {
  readonly id: string;
  readonly hash: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: Role;
  readonly auditor: boolean;
  readonly workspace: string;
};

const inviteSchema = z.object({
  id: z.string(),
  workspaceId: z.string(),
  workspace: z.string(),
  email: z.string(),
  role: roleSchema,
  auditor: z.boolean(),
});

/** The open invite with this hash, or null. */
export const findOpenInvite = async (hash: string, now: Date): Promise<OpenInvite | null> => {
  const { rows } = await getPool().query(
    'select id, workspace_id as "workspaceId", workspace, email, role, auditor from open_invite($1, $2)',
    [hash, now],
  );

  return rows[0] === undefined ? null : { ...inviteSchema.parse(rows[0]), hash };
};

/** Workspace of the newest open invite, except demos. Runner's role only. */
export const findWorkspaceInviting = async (email: string, now: Date): Promise<string | null> => {
  const { rows } = await getPool().query<{ workspace: string }>(
    `select i.workspace_id as workspace from invite i join workspace w on w.id = i.workspace_id
     where i.email = $1 and i.used_at is null and i.revoked_at is null and i.expires_at > $2 and not w.demo
     order by i.created_at desc limit 1`,
    [email, now],
  );

  return rows[0]?.workspace ?? null;
};
