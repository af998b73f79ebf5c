import { z } from "zod";
import { roleSchema } from "@/lib/roles";
import type { Role } from "@/lib/roles";
import { getPool } from "@/server/db/client";
import { columnsOf, queryRow } from "@/server/store/sql/rows";

const userRow = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  hasPassword: z.boolean(),
  demo: z.boolean(),
  sessionVersion: z.number(),
  disabledAt: z.date().nullable(),
});
const memberRow = userRow.extend({
  role: z.string(),
  auditor: z.boolean(),
  workspaceId: z.string(),
  workspaceName: z.string(),
  workspaceDemo: z.boolean(),
});

export type MemberRow = {
  readonly user: Readonly<z.infer<typeof userRow>>;
  readonly workspace: { readonly id: string; readonly name: string; readonly demo: boolean };
  readonly role: Role;
  readonly auditor: boolean;
};

export const findMember = async (userId: string, sessionId: string): Promise<MemberRow | null> => {
  const text = `select ${columnsOf(memberRow)} from member_of($1, $2)`;
  const row = await queryRow(getPool(), memberRow, { name: "member-of", text, values: [userId, sessionId] });
  const role = roleSchema.safeParse(row?.role);
  if (!row || !role.success) return null;
  const { workspaceId: id, workspaceName: name, workspaceDemo: demo, auditor } = row;

  return { user: userRow.parse(row), workspace: { id, name, demo }, role: role.data, auditor };
};
