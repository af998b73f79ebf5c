/** Runner's role only. */
import { getDatabase } from "@/server/db/client";

type ListedWorkspace = {
  readonly id: string;
  readonly name: string;
  readonly demo: boolean;
  readonly createdAt: Date;
  readonly members: number;
};

export const listWorkspacesWithMembers = async (): Promise<readonly ListedWorkspace[]> => {
  const rows = await getDatabase().workspace.findMany({
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, name: true, demo: true, createdAt: true, _count: { select: { memberships: { where: { disabledAt: null } } } } },
  });

  return rows.map(({ _count: { memberships }, ...workspace }) => ({ ...workspace, members: memberships }));
};

export const insertSetupToken = async (hash: string, expiresAt: Date): Promise<void> => {
  await getDatabase().setupToken.createMany({ data: { hash, expiresAt } });
};
