/** Workspaces, and the accounts of the demo workspace. */
import { roleSchema, type Role } from "@/lib/roles";
import { database } from "@/server/db/client";

/** The demo workspace of this installation, or null when nobody has opened it yet. */
export const findDemoWorkspace = (): Promise<{ id: string; name: string } | null> =>
  database().workspace.findFirst({ where: { demo: true }, orderBy: { createdAt: "asc" }, select: { id: true, name: true } });

export type DemoAccount = {
  readonly userId: string;
  readonly sessionVersion: number;
  readonly name: string;
  readonly role: Role;
  /** Whether another account of the same role comes before it. */
  readonly second: boolean;
};

/** The accounts without a password that stand for the four roles, in the order of their addresses. */
export const listDemoAccounts = async (): Promise<readonly DemoAccount[]> => {
  const rows = await database().membership.findMany({
    where: { workspace: { demo: true }, user: { demo: true, disabledAt: null } },
    orderBy: { user: { email: "asc" } },
    select: { role: true, user: { select: { id: true, name: true, sessionVersion: true } } },
  });

  return rows.flatMap(({ role, user }, index) => {
    const parsed = roleSchema.safeParse(role);
    const second = rows.slice(0, index).some((before) => before.role === role);

    return parsed.success ? [{ userId: user.id, sessionVersion: user.sessionVersion, name: user.name, role: parsed.data, second }] : [];
  });
};
