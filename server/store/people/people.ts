/** Names of people and of tokens, for ids that stand in records. */
import { inWorkspace, type Transaction } from "@/server/db/client";

/** id -> name; ids of nobody in the workspace are left out. @param client limited to the workspace */
export const namesIn = async (
  client: Pick<Transaction, "user">,
  workspaceId: string,
  ids: readonly string[],
): Promise<Record<string, string>> => {
  const users = await client.user.findMany({
    where: { id: { in: [...new Set(ids)] }, memberships: { some: { workspaceId } } },
    select: { id: true, name: true },
  });

  return Object.fromEntries(users.map((user) => [user.id, user.name]));
};

/** As `namesIn`, in a transaction of its own. */
export const namesOf = (workspaceId: string, ids: readonly string[]): Promise<Record<string, string>> =>
  inWorkspace(workspaceId, (tx) => namesIn(tx, workspaceId, ids));

/** id -> the name that its owner gave it; ids of no token of the workspace are left out. */
export const tokenNamesOf = (workspaceId: string, ids: readonly string[]): Promise<Record<string, string>> =>
  inWorkspace(workspaceId, async (tx) => {
    const tokens = await tx.agentToken.findMany({
      where: { workspaceId, id: { in: [...new Set(ids)] } },
      select: { id: true, name: true },
    });

    return Object.fromEntries(tokens.map(({ id, name }) => [id, name]));
  });
