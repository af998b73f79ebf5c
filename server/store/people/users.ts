import { z } from "zod";
import { roleSchema } from "@/lib/roles";
import type { Role } from "@/lib/roles";
import { getPool } from "@/server/db/client";

export type UserRow = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly hasPassword: boolean;
  readonly demo: boolean;
  readonly sessionVersion: number;
  readonly disabledAt: Date | null;
};

export type MemberRow = {
  readonly user: UserRow;
  readonly workspace: { readonly id: string; readonly name: string; readonly demo: boolean };
  readonly role: Role;
  readonly auditor: boolean;
};

const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  hasPassword: z.boolean(),
  demo: z.boolean(),
  sessionVersion: z.number(),
  disabledAt: z.date().nullable(),
});

const USER = `id, name, email, demo, session_version as "sessionVersion", disabled_at as "disabledAt", has_password as "hasPassword"`;

/** The user with their oldest membership: people have one so far. */
export const findMember = async (userId: string): Promise<MemberRow | null> => {
  const { rows } = await getPool().query<{
    role: string;
    auditor: boolean;
    workspaceId: string;
    workspaceName: string;
    workspaceDemo: boolean;
  }>({
    name: "member-of",
    text: `select ${USER}, role, auditor, workspace_id as "workspaceId", workspace_name as "workspaceName", workspace_demo as "workspaceDemo"
           from member_of($1)`,
    values: [userId],
  });
  const [row] = rows;
  const role = roleSchema.safeParse(row?.role);
  if (row === undefined || !role.success) return null;
  const { workspaceId: id, workspaceName: name, workspaceDemo: demo, auditor } = row;

  return { user: userSchema.parse(row), workspace: { id, name, demo }, role: role.data, auditor };
};
