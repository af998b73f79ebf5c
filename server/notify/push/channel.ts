import { renderPush } from "@/lib/notifications/push";
import type { NotificationMessage } from "@/lib/notifications/message";
import type { Browser } from "@/lib/notifications/browser";
import type { Clock } from "@/server/clock";
import type { ChannelOutcome, NotificationChannel, Recipient } from "@/server/notify/channel";
import type { Attempt, SendMessage } from "@/server/notify/message";
import { encryptPush } from "./encrypt";
import type { PushKey } from "./key";

const PUSH_HOST = "push";

const MOST_ITEMS = 20;
const DAY_S = 86_400;
const TEST_S = 60;

export type StoredBrowser = Browser & { readonly id: string };

export type PushDeps = {
  readonly key: PushKey;
  readonly contact: string;
  readonly clock: Pick<Clock, "now">;
  readonly listBrowsers: (recipient: Recipient) => Promise<readonly StoredBrowser[]>;
  readonly forget: (recipient: Recipient, browser: StoredBrowser) => Promise<void>;
};

const isGone = ({ code }: Attempt): boolean => code === 404 || code === 410;

const isFinal = (attempt: Attempt): boolean =>
  !attempt.ok &&
  (attempt.fault === "blocked" || (attempt.code !== null && attempt.code >= 400 && attempt.code < 500 && attempt.code !== 429));

const getTtlS = ({ isTest, items }: NotificationMessage, nowMs: number): number => {
  if (isTest) return TEST_S;
  const endsAt = Math.max(0, ...items.map(({ expiresAt }) => expiresAt));

  return items.length === 0 ? DAY_S : Math.max(TEST_S, Math.min(DAY_S, Math.floor((endsAt - nowMs) / 1_000)));
};

export const createPushChannel = ({ key, contact, clock, listBrowsers, forget }: PushDeps, send: SendMessage): NotificationChannel => ({
  mostItems: MOST_ITEMS,
  deliver: async (message, recipient): Promise<ChannelOutcome> => {
    const text = renderPush(message);
    const nowMs = clock.now();
    const sendTo = async (browser: StoredBrowser): Promise<Attempt> => {
      const attempt = await send(PUSH_HOST, {
        url: browser.endpoint,
        payload: encryptPush(text, browser).toString("base64"),
        isBase64: true,
        headers: {
          "content-type": "application/octet-stream",
          "content-encoding": "aes128gcm",
          ttl: String(getTtlS(message, nowMs)),
          urgency: message.items.some(({ risk }) => risk === "high") ? "high" : "normal",
          topic: message.id.replaceAll("-", ""),
          authorization: key.authorize(browser.endpoint, contact, nowMs),
        },
      });
      if (isGone(attempt)) await forget(recipient, browser);

      return attempt;
    };
    const attempts = await Promise.all((await listBrowsers(recipient)).map(sendTo));
    // A repeat would reach the same browser again.
    const outcome = attempts.find(({ ok }) => ok) ?? attempts.find((attempt) => !isFinal(attempt)) ?? attempts[0];

    return outcome ? { ...outcome, isFinal: isFinal(outcome) } : { ok: false, code: null, fault: "subject_gone", isFinal: true };
  },
});
