import { z } from "zod";
import { roleSchema, type Role } from "@/lib/roles";
import { getPool } from "@/server/db/client";
import { columnsOf, queryRow, queryRows } from "@/server/store/sql/rows";

const workspaceRow = z.object({ id: z.string(), name: z.string() });

/** The installation's demo workspace; null before opening. */
export const findDemoWorkspace = (): Promise<{ id: string; name: string } | null> =>
  queryRow(getPool(), workspaceRow, { text: `select ${columnsOf(workspaceRow)} from demo_workspace()` });

const accountRow = z.object({ userId: z.string(), name: z.string(), sessionVersion: z.number(), role: z.string() });

export type DemoAccount = {
  readonly userId: string;
  readonly sessionVersion: number;
  readonly name: string;
  readonly role: Role;
  /** The role's second account. */
  readonly second: boolean;
};

/** The four roles' passwordless accounts. */
export const listDemoAccounts = async (): Promise<readonly DemoAccount[]> => {
  const text = `select ${columnsOf(accountRow, { userId: "id" })} from demo_accounts()`;
  const rows = await queryRows(getPool(), accountRow, { text });

  return rows.flatMap(({ role, ...account }, index) => {
    const parsed = roleSchema.safeParse(role);
    const second = rows.slice(0, index).some((before) => before.role === role);

    return parsed.success ? [{ ...account, role: parsed.data, second }] : [];
  });
};
