import { computeAccountDigest, getAccountSubject } from "@/lib/notifications/account";
import type { Channel } from "@/lib/notifications/setting";
import type { RunnerDeps } from "@/server/runner/deps";
import { findAccount } from "@/server/store/notifications/accounts";

/** @throws ProjectionMismatch, AuthorityUnverified */
export const findConfirmedAccount = async (
  { authority }: Pick<RunnerDeps, "authority">,
  workspaceId: string,
  userId: string,
  channel: Channel,
): Promise<string | null> => {
  const row = await authority.confirm(
    workspaceId,
    "accounts",
    getAccountSubject(userId, channel),
    () => findAccount({ workspaceId, userId, channel }),
    (found) => (found?.confirmedAt ? computeAccountDigest(channel, found.account) : null),
  );

  return row?.confirmedAt ? row.account : null;
};
