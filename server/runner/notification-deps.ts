import { createAccountCode } from "@/lib/notifications/account";
import type { Channel } from "@/lib/notifications/setting";
import { readEnv } from "@/server/env";
import type { Destination, NotificationDeps } from "@/server/notify/notifications";
import { ownOrigin } from "@/server/own-origin";
import { findConfirmedAccount } from "@/server/runner/confirmed-account";
import { listConfirmedBrowsers } from "@/server/runner/browsers";
import { unlessUnproved } from "@/server/runner/identify";
import { describeMentionFor } from "@/server/runner/mention-item";
import type { DescribeForAll } from "@/server/notify/chat";
import { describeApproval, describeForAll, type MessageDeps, type MessagePolicy } from "@/server/runner/notification-item";
import { findAccount } from "@/server/store/notifications/accounts";
import { findMemberAddress } from "@/server/store/notifications/outbox";

const getMessagePolicy = (): MessagePolicy => ({ origin: ownOrigin(), most: readEnv().COUNTERSIGN_MAIL_VALUES });

export const createDescribeForAll =
  (deps: MessageDeps, policy = getMessagePolicy()): DescribeForAll =>
  (workspaceId, approvalId) =>
    describeForAll(deps, policy, workspaceId, approvalId);

const findDestination = async (deps: MessageDeps, workspaceId: string, userId: string, channel: Channel): Promise<Destination | null> => {
  const member = await findMemberAddress(workspaceId, userId);
  if (!member) return null;
  const { email, workspaceName } = member;
  if (channel === "mail") return { workspaceName, address: email };
  if (channel === "push")
    return (await listConfirmedBrowsers(deps, { workspaceId, userId })).length === 0 ? null : { workspaceName, address: "" };
  const account = await unlessUnproved(findConfirmedAccount(deps, workspaceId, userId, channel).then((address) => ({ address })));
  if (typeof account === "string" || account.address === null) return null;

  return { workspaceName, address: account.address };
};

const findCode: (deps: MessageDeps) => NotificationDeps["findCode"] =
  ({ clock, signer }) =>
  async (workspaceId, userId, channel) => {
    const [member, row] = await Promise.all([findMemberAddress(workspaceId, userId), findAccount({ workspaceId, userId, channel })]);
    if (!member || !row || row.confirmedAt !== null) return null;
    const { account } = row;
    const code = createAccountCode({ workspaceId, userId, channel, account }, clock.now(), (digest) => signer.signDigest(digest));

    return { workspaceName: member.workspaceName, address: account, code };
  };

export const createNotificationDeps = (
  deps: MessageDeps,
  channels: NotificationDeps["channels"],
  policy = getMessagePolicy(),
): NotificationDeps => ({
  clock: deps.clock,
  channels,
  origin: policy.origin,
  findDestination: (workspaceId, userId, channel) => findDestination(deps, workspaceId, userId, channel),
  findCode: findCode(deps),
  describe: (workspaceId, approvalId, userId, channel) => describeApproval(deps, policy, { workspaceId, approvalId, userId, channel }),
  describeMention: (workspaceId, mentionId, userId) => describeMentionFor(deps, policy, { workspaceId, mentionId, userId }),
});
