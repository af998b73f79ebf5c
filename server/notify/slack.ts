import { z } from "zod";
import { renderSlack } from "@/lib/notifications/slack";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import type { ChannelOutcome, NotificationChannel } from "./channel";
import type { SendMessage } from "./message";

export type SlackSettings = { readonly token: string; readonly origin: string };

/** Null: not set up. */
export const getSlackSettings = (): SlackSettings | null => {
  const { COUNTERSIGN_SLACK_TOKEN: token, COUNTERSIGN_SLACK_ORIGIN: origin } = readEnv();

  return token === undefined ? null : { token, origin };
};

/** No workspace's programs run beside the operator's token. */
const SLACK_HOST = "slack";

/** Two digests' requests stay below Slack's 50 blocks. */
const MOST_ITEMS = 8;

/** Errors of Slack itself; others concern the request, so another attempt fails alike. */
const TRANSIENT = new Set(["fatal_error", "internal_error", "ratelimited", "request_timeout", "service_unavailable"]);

const answerSchema = z.object({ ok: z.boolean(), error: z.string().optional(), channel: z.string().optional(), ts: z.string().optional() });

const readAnswer = (text: string | undefined): z.infer<typeof answerSchema> | null => {
  try {
    return answerSchema.parse(JSON.parse(text ?? ""));
  } catch {
    return null;
  }
};

const parsePlace = (place: string): { readonly channel: string; readonly ts: string } => {
  const [channel = "", ts = ""] = place.split(" ");

  return { channel, ts };
};

export const createSlackChannel = ({ token, origin }: SlackSettings, send: SendMessage): NotificationChannel => ({
  mostItems: MOST_ITEMS,
  deliver: async (message, { address: account }, place): Promise<ChannelOutcome> => {
    const method = place === null ? "chat.postMessage" : "chat.update";
    const target = place === null ? { channel: account } : parsePlace(place);
    const attempt = await send(SLACK_HOST, {
      url: `${origin}/api/${method}`,
      payload: JSON.stringify({ ...target, ...renderSlack(message) }),
      headers: { "content-type": "application/json; charset=utf-8", authorization: `Bearer ${token}` },
      readsAnswer: true,
    });
    if (!attempt.ok) return { ...attempt, isFinal: false };
    const answer = readAnswer(attempt.answer);
    const { code } = attempt;
    if (answer?.ok === true) {
      const { channel, ts } = answer;

      return { ok: true, code, isFinal: false, ...(channel && ts ? { place: `${channel} ${ts}` } : {}) };
    }
    const error = answer?.error ?? "no answer";
    log().info({ message: message.id, error: error.slice(0, 60) }, "Slack refused a message");

    return { ok: false, code, fault: "refused", isFinal: answer !== null && !TRANSIENT.has(error) };
  },
});
