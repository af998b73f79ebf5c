import { OPERATOR_ID } from "@/lib/operator";
import { runInWorkspace, type Transaction } from "@/server/db/client";

const OPERATOR_NAME = "the operator";

export const getNamesIn = async (
  client: Pick<Transaction, "user">,
  workspaceId: string,
  ids: readonly string[],
): Promise<Record<string, string>> => {
  const users = await client.user.findMany({
    where: { id: { in: [...new Set(ids)] }, memberships: { some: { workspaceId } } },
    select: { id: true, name: true },
  });

  return {
    ...Object.fromEntries(users.map((user) => [user.id, user.name])),
    ...(ids.includes(OPERATOR_ID) ? { [OPERATOR_ID]: OPERATOR_NAME } : {}),
  };
};

/** `getNamesIn` in its own transaction. */
export const getNames = (workspaceId: string, ids: readonly string[]): Promise<Record<string, string>> =>
  runInWorkspace(workspaceId, (tx) => getNamesIn(tx, workspaceId, ids));

/** Names of people and service accounts; the latter say so, as an account may be named like a person. */
export const getAuthorNames = async (workspaceId: string, ids: readonly string[]): Promise<Record<string, string>> => {
  const accounts = Object.entries(await getTokenNames(workspaceId, ids)).map(([id, name]) => [id, `Service account ${name}`] as const);

  return { ...Object.fromEntries(accounts), ...(await getNames(workspaceId, ids)) };
};

export const getTokenNames = (workspaceId: string, ids: readonly string[]): Promise<Record<string, string>> =>
  runInWorkspace(workspaceId, async (tx) => {
    const tokens = await tx.agentToken.findMany({
      where: { workspaceId, id: { in: [...new Set(ids)] } },
      select: { id: true, name: true },
    });

    return Object.fromEntries(tokens.map(({ id, name }) => [id, name]));
  });
