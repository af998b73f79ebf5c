import type { NotificationMessage } from "@/lib/notifications/message";
import { renderMail } from "@/lib/notifications/mail";
import { readEnv } from "@/server/env";
import type { MailServer } from "@/server/smtp-url";
import type { Attempt, SendMail } from "./message";

/** `isFinal`: not retryable. `place`: where the message can be changed later. */
export type ChannelOutcome = Attempt & { readonly isFinal: boolean; readonly place?: string };

/** Web push has no address. */
export type Recipient = { readonly workspaceId: string; readonly userId: string; readonly address: string };

/** @param place of the earlier message that this one replaces; null: a new one */
export type DeliverMessage = (message: NotificationMessage, recipient: Recipient, place: string | null) => Promise<ChannelOutcome>;

export type NotificationChannel = { readonly deliver: DeliverMessage; readonly mostItems: number };

export type MailSettings = { readonly server: MailServer; readonly from: string };

/** Null: not set up. */
export const getMailSettings = (): MailSettings | null => {
  const { COUNTERSIGN_SMTP_URL: server, COUNTERSIGN_SMTP_FROM: from } = readEnv();

  return server === null || from === undefined ? null : { server, from };
};

/** Replies 550 to 559 concern the recipient or content: another attempt fails alike. */
const isPermanent = ({ ok, code }: Attempt): boolean => !ok && code !== null && code >= 550 && code <= 559;

const domainOf = (from: string): string => /@([A-Za-z0-9.-]+)/u.exec(from)?.[1] ?? "countersign.invalid";

export const createMailChannel = ({ server, from }: MailSettings, send: SendMail): NotificationChannel => ({
  mostItems: 20,
  deliver: async (message, { address: to }) => {
    const attempt = await send({
      server,
      from,
      to,
      messageId: `<${message.id}@${domainOf(from)}>`,
      unsubscribeUrl: message.settingsUrl,
      ...renderMail(message),
    });

    return { ...attempt, isFinal: isPermanent(attempt) };
  },
});
