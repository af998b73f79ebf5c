import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Arrival } from "@/lib/graph/triggers/arrival";
import type { WebhookScheme } from "@/lib/graph/triggers/trigger";
import type { RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";

export const TOLERANCE_MS = 5 * 60_000;

type Signed = {
  readonly secret: string;
  readonly headers: Arrival["headers"];
  readonly body: Buffer;
  readonly nowMs: number;
};

/** `eventId`: signed; null: in the payload. */
type Verified = { readonly eventId: string | null };

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

const mac = (key: Buffer | string, ...parts: readonly (Buffer | string)[]): Buffer => {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);

  return hmac.digest();
};

const HEX = /^[0-9a-f]{64}$/u;

const fromHex = (text: string): Buffer => (HEX.test(text) ? Buffer.from(text, "hex") : Buffer.alloc(0));

/** Seconds since 1970, as all schemes send. */
const readSeconds = (text: string | undefined): number | null => (text !== undefined && /^\d{1,12}$/u.test(text) ? Number(text) : null);

const isLate = (seconds: number, nowMs: number): boolean => Math.abs(nowMs - seconds * 1_000) > TOLERANCE_MS;

/** Constant time. */
const isAnySame = (given: readonly Buffer[], expected: Buffer): boolean =>
  given.reduce((found, one) => isSame(one, expected) || found, false);

const timely = (isSigned: boolean, seconds: number, nowMs: number, eventId: string | null): Result<Verified, RefusalCode> => {
  if (!isSigned) return err("trigger_signature");

  return isLate(seconds, nowMs) ? err("trigger_late") : ok({ eventId });
};

const MOST_SIGNATURES = 20;

const ofStandard = ({ secret, headers, body, nowMs }: Signed): Result<Verified, RefusalCode> => {
  const { "webhook-id": id = "", "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  const seconds = readSeconds(timestamp);
  const key = Buffer.from(secret.replace(/^whsec_/u, ""), "base64");
  if (id === "" || seconds === null || key.length === 0) return err("trigger_signature");
  const given = signatures
    .split(" ", MOST_SIGNATURES)
    .flatMap((one) => (one.startsWith("v1,") ? [Buffer.from(one.slice(3), "base64")] : []));

  return timely(isAnySame(given, mac(key, `${id}.${String(timestamp)}.`, body)), seconds, nowMs, id);
};

/** It signs no time and no id, so the bytes are the id. */
const ofGithub = ({ secret, headers, body }: Signed): Result<Verified, RefusalCode> => {
  const given = headers["x-hub-signature-256"] ?? "";
  const isSigned = given.startsWith("sha256=") && isSame(fromHex(given.slice(7)), mac(secret, body));

  return isSigned ? ok({ eventId: `sha256:${createHash("sha256").update(body).digest("hex")}` }) : err("trigger_signature");
};

const ofStripe = ({ secret, headers, body, nowMs }: Signed): Result<Verified, RefusalCode> => {
  const parts = (headers["stripe-signature"] ?? "").split(",", MOST_SIGNATURES).map((part) => part.trim());
  const valuesOf = (name: string) => parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));
  const [timestamp] = valuesOf("t");
  const seconds = readSeconds(timestamp);
  if (seconds === null) return err("trigger_signature");

  return timely(isAnySame(valuesOf("v1").map(fromHex), mac(secret, `${String(timestamp)}.`, body)), seconds, nowMs, null);
};

const ofSlack = ({ secret, headers, body, nowMs }: Signed): Result<Verified, RefusalCode> => {
  const { "x-slack-request-timestamp": timestamp, "x-slack-signature": given = "" } = headers;
  const seconds = readSeconds(timestamp);
  if (seconds === null || !given.startsWith("v0=")) return err("trigger_signature");

  return timely(isSame(fromHex(given.slice(3)), mac(secret, `v0:${String(timestamp)}:`, body)), seconds, nowMs, null);
};

const SCHEMES = { standard: ofStandard, github: ofGithub, stripe: ofStripe, slack: ofSlack } as const satisfies Record<
  WebhookScheme,
  (signed: Signed) => Result<Verified, RefusalCode>
>;

export const verifySignature = (scheme: WebhookScheme, signed: Signed): Result<Verified, RefusalCode> => SCHEMES[scheme](signed);

const PAYLOAD_IDS = { standard: null, github: null, stripe: "id", slack: "event_id" } as const satisfies Record<
  WebhookScheme,
  string | null
>;

const PLAIN = /^[\w.:-]{1,128}$/u;

export const getEventId = (
  scheme: WebhookScheme,
  { eventId }: Verified,
  payload: unknown,
  { headers, body }: Pick<Signed, "headers" | "body">,
): string => {
  const name = PAYLOAD_IDS[scheme];
  const named: unknown = name !== null && typeof payload === "object" && payload !== null ? Reflect.get(payload, name) : null;
  const id = eventId ?? (typeof named === "string" && named !== "" ? named : null);
  if (id !== null && PLAIN.test(id)) return id;
  // A second click has equal bytes.
  const moment = headers["x-slack-request-timestamp"] ?? "";
  const hash = createHash("sha256");

  return `sha256:${(id === null ? hash.update(moment).update("\0").update(body) : hash.update(id)).digest("hex")}`;
};
