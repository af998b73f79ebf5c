/** The first rows of an installation: the first admin, and the demo workspace with its accounts. */
import type { Role } from "@/lib/roles";
import { database } from "@/server/db/client";

export type FirstAdmin = {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
};

/** What the set-up link led to. */
export type FirstAdminOutcome = "created" | "link_invalid" | "email_taken";

/** Whether the link with this hash could be used now. */
export const isSetupTokenOpen = async (hash: string, nowMs: number): Promise<boolean> =>
  (await database().setupToken.count({ where: { hash, usedAt: null, expiresAt: { gt: new Date(nowMs) } } })) === 1;

/** Uses up the set-up link and creates the first admin with a workspace, both or neither. */
export const createFirstAdmin = (tokenHash: string, admin: FirstAdmin, nowMs: number): Promise<FirstAdminOutcome> =>
  database().$transaction(async (tx) => {
    const now = new Date(nowMs);
    // Before the link is used up, which stays good for another address.
    if ((await tx.user.count({ where: { email: admin.email } })) > 0) return "email_taken";

    // One statement finds and marks the token: of two requests with the same link only one gets a row.
    const used = await tx.setupToken.updateMany({
      where: { hash: tokenHash, usedAt: null, expiresAt: { gt: now } },
      data: { usedAt: now },
    });
    if (used.count !== 1) return "link_invalid";

    await tx.workspace.create({ data: { id: admin.workspaceId, name: admin.workspaceName, createdAt: now } });
    await tx.user.create({
      data: { id: admin.userId, name: admin.name, email: admin.email, passwordHash: admin.passwordHash, createdAt: now },
    });
    await tx.membership.create({ data: { workspaceId: admin.workspaceId, userId: admin.userId, role: "admin" } });

    return "created";
  });

/** Whether anybody can administer this installation, the demo apart. */
export const hasAdmin = async (): Promise<boolean> =>
  (await database().membership.count({ where: { role: "admin", user: { demo: false }, workspace: { demo: false } } })) > 0;

export type NewDemoAccount = { readonly userId: string; readonly name: string; readonly email: string; readonly role: Role };

/**
 * Creates the demo workspace with its accounts, or what is missing of it.
 * @returns the demo workspace that stands now, and the account that its content is written by
 */
export const ensureDemoWorkspace = (
  workspaceId: string,
  name: string,
  accounts: readonly NewDemoAccount[],
  author: Role,
): Promise<{ workspaceId: string; authorId: string }> =>
  database().$transaction(async (tx) => {
    // Two clicks at once would each find no workspace: they take turns instead.
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('countersign.demo'))`;
    let workspace = await tx.workspace.findFirst({ where: { demo: true }, orderBy: { createdAt: "asc" }, select: { id: true } });
    workspace ??= await tx.workspace.create({ data: { id: workspaceId, name, demo: true }, select: { id: true } });
    const known = await tx.user.findMany({ where: { email: { in: accounts.map(({ email }) => email) } }, select: { email: true } });
    const taken = new Set(known.map(({ email }) => email));
    for (const { userId, name: userName, email, role } of accounts) {
      if (taken.has(email)) continue;
      await tx.user.create({ data: { id: userId, name: userName, email, demo: true } });
      await tx.membership.create({ data: { workspaceId: workspace.id, userId, role } });
    }
    const member = await tx.membership.findFirstOrThrow({
      where: { workspaceId: workspace.id, role: author },
      orderBy: { user: { email: "asc" } },
      select: { userId: true },
    });

    return { workspaceId: workspace.id, authorId: member.userId };
  });
