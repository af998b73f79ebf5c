"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { toApiError } from "@/components/trpc/api-error";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { QueryState } from "@/components/ui/query-state";
import { notify } from "@/components/ui/toast";
import { CHANNEL_NAMES, type Channel } from "@/lib/notifications/setting";
import { LinkAccount } from "./link-account";
import { NotificationForm } from "./notification-form";
import { NotificationTable } from "./notification-table";
import { PushBrowsers } from "./push-browsers";
import { UnlinkAccount } from "./unlink-account";

/** The outcome of a test or code arrives on its own. */
const SOON_MS = 1_000;

type Data = Outputs["notifications"]["get"];

const NOT_SET_UP = {
  mail: "E-mail isn't set up. The operator sets COUNTERSIGN_SMTP_URL and COUNTERSIGN_SMTP_FROM.",
  slack: "Slack isn't set up. The operator sets COUNTERSIGN_SLACK_TOKEN and COUNTERSIGN_SLACK_SIGNING_SECRET.",
  teams: "Microsoft Teams isn't set up. No runner is live.",
  push: "Web push isn't set up. The operator hands keys/push.key to the runner.",
} as const satisfies Record<Channel, string>;

const ACTS = "You can reject, request changes, comment and snooze from there; approving needs the page.";

const ACTS_IN_SLACK =
  "You can reject, request changes, comment and snooze from there, and approve what needs neither a passkey nor a closer look.";

const ACTS_IN_TEAMS = "Teams can't send answers back, so its button opens the page.";

const describeChannel = (channel: Channel, { isSetUp, sender, address, account }: Data): string => {
  if (!isSetUp) return NOT_SET_UP[channel];
  if (channel === "mail") return `Approval requests by e-mail to ${address}, from ${sender}. ${ACTS}`;

  if (channel === "push") return `Approval requests as notifications of your browsers, also while this page is closed. ${ACTS}`;

  if (channel === "teams")
    return account?.isConfirmed
      ? `Approval requests as messages of your Teams workflow at ${account.name}. ${ACTS_IN_TEAMS}`
      : `Link a Teams workflow of your own to get approval requests in Teams. ${ACTS_IN_TEAMS}`;

  return account?.isConfirmed
    ? `Approval requests as direct messages to ${account.name}. ${ACTS_IN_SLACK}`
    : `Link your Slack account to get approval requests as direct messages. ${ACTS_IN_SLACK}`;
};

const isAwaited = ({ type, status }: Data["latest"][number]): boolean => (type === "test" || type === "code") && status === "pending";

type Props = { readonly channel: Channel };

const Setting = ({ channel, data: { setting, latest, isSetUp, account } }: Props & { readonly data: Data }) => {
  const trpc = useTRPC();
  const refresh = useRefresh(trpc.notifications.pathFilter());
  const save = useMutation(trpc.notifications.save.mutationOptions({ onSuccess: refresh }));
  const test = useMutation(
    trpc.notifications.test.mutationOptions({
      onSettled: refresh,
      onError: (error) => notify({ tone: "error", title: toApiError(error).message }),
    }),
  );

  return (
    <NotificationForm
      key={JSON.stringify(setting)}
      setting={setting}
      error={save.error}
      save={async (next) => {
        await save.mutateAsync({ channel, setting: next });
        notify({ title: "Notifications saved" });
      }}
    >
      <Button
        disabledReason={isSetUp ? null : `${CHANNEL_NAMES[channel]} isn't set up`}
        pending={test.isPending || latest.some(isAwaited) ? "Sending…" : null}
        onClick={() => test.mutate({ channel })}
      >
        Send a test
      </Button>
      {account ? <UnlinkAccount channel={channel} /> : null}
    </NotificationForm>
  );
};

const Loaded = ({ channel, data }: Props & { readonly data: Data }) => {
  const browsers = useQuery({ ...useTRPC().notifications.browsers.queryOptions(), enabled: channel === "push" }).data;
  const isReady = {
    mail: true,
    slack: data.account?.isConfirmed === true,
    teams: data.account?.isConfirmed === true,
    push: browsers?.browsers.length !== 0 && browsers !== undefined,
  }[channel];

  return (
    <>
      <p className="max-w-prose text-sm text-muted">{describeChannel(channel, data)}</p>
      {channel === "push" && browsers ? <PushBrowsers data={browsers} setting={data.setting} /> : null}
      {isReady ? <Setting channel={channel} data={data} /> : null}
      {(channel === "slack" || channel === "teams") && !isReady && data.isSetUp ? (
        <LinkAccount channel={channel} account={data.account} />
      ) : null}
      <NotificationTable latest={data.latest} />
    </>
  );
};

export const Notifications = ({ channel }: Props) => (
  <QueryState
    query={useQuery(
      useTRPC().notifications.get.queryOptions(
        { channel },
        { refetchInterval: ({ state }) => (state.data?.latest.some(isAwaited) ? SOON_MS : false) },
      ),
    )}
    what="your notifications"
    rows={3}
  >
    {(data) => <Loaded channel={channel} data={data} />}
  </QueryState>
);
