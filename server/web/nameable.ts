import type { ValidationContext } from "@/lib/graph/facts/facts";
import { listNameable } from "@/lib/people/nameable";
import { getNames } from "@/server/store/people/people";
import { readAuthority } from "./authority";

/** @throws AppError */
export const readNameable = async (workspaceId: string): Promise<Required<Pick<ValidationContext, "approvers" | "environments">>> => {
  const authority = await readAuthority(workspaceId);
  const ids = listNameable(authority).deciders.map(({ id }) => id);

  const approvers = listNameable(authority, await getNames(workspaceId, ids));

  return { approvers, environments: authority.environments.list.map(({ id }) => id) };
};
