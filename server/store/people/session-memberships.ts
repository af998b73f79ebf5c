import { z } from "zod";
import { roleSchema } from "@/lib/roles";
import { getPool } from "@/server/db/client";
import { columnsOf, queryRows } from "@/server/store/sql/rows";

const membershipRow = z.object({
  userId: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  demo: z.boolean(),
  role: roleSchema,
  auditor: z.boolean(),
  isCurrent: z.boolean(),
});
export type SessionMembership = z.infer<typeof membershipRow>;

/** Oldest first, without those that disabled the person. */
export const listSessionMemberships = (sessionId: string): Promise<readonly SessionMembership[]> =>
  queryRows(getPool(), membershipRow, {
    text: `select ${columnsOf(membershipRow)} from session_memberships($1)`,
    values: [sessionId],
  });
