/** Names of people, for ids that stand in records. */
import { database } from "@/server/db/client";

/** id -> name; ids of nobody in the workspace are left out. */
export const namesOf = async (workspaceId: string, ids: readonly string[]): Promise<Record<string, string>> => {
  const users = await database().user.findMany({
    where: { id: { in: [...new Set(ids)] }, memberships: { some: { workspaceId } } },
    select: { id: true, name: true },
  });

  return Object.fromEntries(users.map((user) => [user.id, user.name]));
};
