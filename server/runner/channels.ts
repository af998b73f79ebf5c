import { CHANNELS, type Channel } from "@/lib/notifications/setting";
import { createMailChannel, getMailSettings, type Recipient } from "@/server/notify/channel";
import type { SendMail, SendMessage } from "@/server/notify/message";
import type { NotificationDeps } from "@/server/notify/notifications";
import { createPushChannel, type StoredBrowser } from "@/server/notify/push/channel";
import { loadPushKey } from "@/server/notify/push/key";
import { getWebhookPolicy } from "@/server/notify/policy";
import { createSlackChannel, getSlackSettings } from "@/server/notify/slack";
import { createTeamsChannel } from "@/server/notify/teams";
import { ownOrigin } from "@/server/own-origin";
import { forgetBrowser, listConfirmedBrowsers } from "@/server/runner/browsers";
import type { RunnerDeps } from "@/server/runner/deps";

/** Some push services refuse local addresses. */
const getContact = (origin: string): string => (origin.startsWith("https:") ? origin : "mailto:operator@countersign.invalid");

type Senders = { readonly mail: SendMail; readonly send: SendMessage };

export type OpenChannels = {
  readonly channels: NotificationDeps["channels"];
  readonly standing: { readonly mailFrom: string | null; readonly pushKey: string | null; readonly channels: readonly Channel[] };
};

export const openChannels = (deps: Pick<RunnerDeps, "authority" | "clock" | "signer">, home: string, senders: Senders): OpenChannels => {
  const [mail, slack, key] = [getMailSettings(), getSlackSettings(), loadPushKey(home)];
  const push = key && {
    key,
    contact: getContact(ownOrigin()),
    clock: deps.clock,
    listBrowsers: (recipient: Recipient) => listConfirmedBrowsers(deps, recipient),
    forget: (recipient: Recipient, browser: StoredBrowser) => forgetBrowser(deps, recipient, browser),
  };
  const channels = {
    ...(mail ? { mail: createMailChannel(mail, senders.mail) } : {}),
    ...(slack ? { slack: createSlackChannel(slack, senders.send) } : {}),
    teams: createTeamsChannel(senders.send, getWebhookPolicy().allowOrigins),
    ...(push ? { push: createPushChannel(push, senders.send) } : {}),
  };

  return {
    channels,
    standing: {
      mailFrom: mail?.from ?? null,
      pushKey: key?.publicKey ?? null,
      channels: CHANNELS.filter((channel) => channels[channel]),
    },
  };
};
