/** Names of people and tokens by recorded ids. */
import { inWorkspace, type Transaction } from "@/server/db/client";

/** Names by id; non-members are omitted. @param client limited to the workspace */
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

/** Like `namesIn`, in its own transaction. */
export const namesOf = (workspaceId: string, ids: readonly string[]): Promise<Record<string, string>> =>
  inWorkspace(workspaceId, (tx) => namesIn(tx, workspaceId, ids));

/** Token names by id; unknown tokens are omitted. */
export const tokenNamesOf = (workspaceId: string, ids: readonly string[]): Promise<Record<string, string>> =>
  inWorkspace(workspaceId, async (tx) => {
    const tokens = await tx.agentToken.findMany({
      where: { workspaceId, id: { in: [...new Set(ids)] } },
      select: { id: true, name: true },
    });

    return Object.fromEntries(tokens.map(({ id, name }) => [id, name]));
  });
