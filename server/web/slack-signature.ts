/** Slack's request signature, version v0: https://api.slack.com/authentication/verifying-requests-from-slack */
import { createHmac, timingSafeEqual } from "node:crypto";

const WINDOW_MS = 5 * 60_000;

export type SlackVerifier = (headers: Headers, rawBody: string, nowMs: number) => boolean;

export const signSlackRequest = (secret: string, timestamp: string, rawBody: string): string =>
  `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${rawBody}`).digest("hex")}`;

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];

  return left.length === right.length && timingSafeEqual(left, right);
};

/** Creates a verifier that accepts each request once, within five minutes of its signing. */
export const createSlackVerifier = (secret: string): SlackVerifier => {
  /** Signatures by the time at which they are void anyway. */
  const seen = new Map<string, number>();

  return (headers, rawBody, nowMs) => {
    for (const [signature, untilMs] of seen) if (untilMs <= nowMs) seen.delete(signature);
    const timestamp = headers.get("x-slack-request-timestamp") ?? "";
    const signature = headers.get("x-slack-signature") ?? "";
    if (!/^\d{1,12}$/u.test(timestamp) || Math.abs(nowMs - Number(timestamp) * 1_000) > WINDOW_MS) return false;
    if (!isSame(signature, signSlackRequest(secret, timestamp, rawBody)) || seen.has(signature)) return false;
    seen.set(signature, Number(timestamp) * 1_000 + WINDOW_MS + 1);

    return true;
  };
};
