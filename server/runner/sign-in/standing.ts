import { computePasswordDigest } from "@/lib/engine/ledger/settings-digests";
import type { RunnerDeps } from "@/server/runner/deps";
import { readPasswordHash, readSessionVersion, type Account } from "@/server/store/people/accounts";
import { isAuthorityError } from "@/server/store/trust/authority";
import { isDemo, findUserPrincipal } from "@/server/store/people/principals";

export type Place = { readonly workspaceId: string; readonly demo: boolean; readonly sessionVersion: number };

/** `none`: no member, disabled, or with a changed password. */
export type Standing = Place | "none" | "authority_mismatch";

type Deps = Pick<RunnerDeps, "authority">;

export const getStandingIn = async (
  { authority }: Deps,
  { id, passwordHash: hash }: Pick<Account, "id" | "passwordHash">,
  workspaceId: string,
): Promise<Standing> => {
  try {
    const demo = await isDemo(authority, workspaceId);
    const user = await findUserPrincipal(authority, workspaceId, id);
    const current = await authority.confirm(workspaceId, "passwords", id, () => readPasswordHash(id), computePasswordDigest);
    const sessionVersion = await readSessionVersion(workspaceId, id);

    return user !== null && current === hash && sessionVersion !== null ? { workspaceId, demo, sessionVersion } : "none";
  } catch (error) {
    if (isAuthorityError(error)) return "authority_mismatch";
    throw error;
  }
};

export const getStanding = async (deps: Deps, account: Pick<Account, "id" | "passwordHash" | "workspaceIds">): Promise<Standing> => {
  let otherwise: Standing = "none";
  for (const workspaceId of account.workspaceIds) {
    const standing = await getStandingIn(deps, account, workspaceId);
    if (typeof standing === "object") return standing;
    if (standing === "authority_mismatch") otherwise = standing;
  }

  return otherwise;
};
