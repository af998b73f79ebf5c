import type { KnownApprovers } from "@/lib/graph/facts/facts";
import { listNameable } from "@/lib/people/nameable";
import { getNames } from "@/server/store/people/people";
import { readAuthority } from "./authority";

/** Lists whom a graph can name, with names. @throws AppError */
export const readNameable = async (workspaceId: string): Promise<KnownApprovers> => {
  const authority = await readAuthority(workspaceId);
  const ids = listNameable(authority).deciders.map(({ id }) => id);

  return listNameable(authority, await getNames(workspaceId, ids));
};
