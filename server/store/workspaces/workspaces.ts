import { roleSchema, type Role } from "@/lib/roles";
import { getPool } from "@/server/db/client";

/** The installation's demo workspace; null before opening. */
export const findDemoWorkspace = async (): Promise<{ id: string; name: string } | null> => {
  const { rows } = await getPool().query<{ id: string; name: string }>("select id, name from demo_workspace()");

  return rows[0] ?? null;
};

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
  const { rows } = await getPool().query<{ userId: string; name: string; sessionVersion: number; role: string }>(
    'select id as "userId", name, session_version as "sessionVersion", role from demo_accounts()',
  );

  return rows.flatMap(({ role, ...account }, index) => {
    const parsed = roleSchema.safeParse(role);
    const second = rows.slice(0, index).some((before) => before.role === role);

    return parsed.success ? [{ ...account, role: parsed.data, second }] : [];
  });
};
