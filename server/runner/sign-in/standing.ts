import { computePasswordDigest } from "@/lib/engine/ledger/settings-digests";
import type { RunnerDeps } from "@/server/runner/deps";
import { readPasswordHash, type Account } from "@/server/store/people/accounts";
import { isAuthorityError } from "@/server/store/trust/authority";
import { isDemo, findUserPrincipal } from "@/server/store/people/principals";

/** `none`: no member, disabled, or with a changed password. */
export type Standing = { readonly demo: boolean } | "none" | "authority_mismatch";

export const getStanding = async ({ authority }: Pick<RunnerDeps, "authority">, account: Account): Promise<Standing> => {
  const { id, workspaceId, passwordHash: hash } = account;
  if (workspaceId === null) return "none";
  try {
    const demo = await isDemo(authority, workspaceId);
    const user = await findUserPrincipal(authority, workspaceId, id);
    const current = await authority.confirm(workspaceId, "passwords", id, () => readPasswordHash(id), computePasswordDigest);

    return user !== null && current === hash ? { demo } : "none";
  } catch (error) {
    if (isAuthorityError(error)) return "authority_mismatch";
    throw error;
  }
};
