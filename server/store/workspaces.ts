/** Workspaces, and the accounts of the demo workspace. */
import { roleSchema, type Role } from "@/lib/roles";
import { database } from "@/server/db/client";

/** The demo workspace of this installation, or null when nobody has opened it yet. */
export const findDemoWorkspace = (): Promise<{ id: string; name: string } | null> =>
  database().workspace.findFirst({ where: { demo: true }, orderBy: { createdAt: "asc" }, select: { id: true, name: true } });

export type DemoAccount = { readonly userId: string; readonly sessionVersion: number; readonly name: string; readonly role: Role };

/** The accounts without a password that stand for the four roles. */
export const listDemoAccounts = async (): Promise<readonly DemoAccount[]> => {
  const rows = await database().membership.findMany({
    where: { workspace: { demo: true }, user: { demo: true, disabledAt: null } },
    select: { role: true, user: { select: { id: true, name: true, sessionVersion: true } } },
  });

  return rows.flatMap(({ role, user }) => {
    const parsed = roleSchema.safeParse(role);

    return parsed.success ? [{ userId: user.id, sessionVersion: user.sessionVersion, name: user.name, role: parsed.data }] : [];
  });
};
