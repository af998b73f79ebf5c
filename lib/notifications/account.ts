/** A member's account on a channel: linked once they enter the code that was sent there. */
import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Principal } from "@/lib/engine/principal";
import type { RefusalCode } from "@/lib/refusal";
import { channelSchema, type Channel } from "./setting";

export const accountSchema = z
  .string()
  .trim()
  .regex(/^[UW][A-Z0-9]{5,20}$/u, "A member ID, as U012AB3CD: in Slack, open your profile, More, Copy member ID.");

export const teamsAccountSchema = z
  .string()
  .trim()
  .min(1, "Required.")
  .max(2_000)
  .refine((text) => URL.canParse(text), "Enter a valid address.");

const CODE = /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/u;
export const codeSchema = z.string().trim().toUpperCase().regex(CODE, "A code, as K7QM-2F9X.");

export const accountCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("account_link"),
    channel: channelSchema,
    account: z.union([accountSchema, teamsAccountSchema]),
    code: codeSchema,
  }),
  z.strictObject({ kind: z.literal("account_unlink"), channel: channelSchema }),
]);
export type AccountCommand = z.infer<typeof accountCommandSchema>;

export const getAccountSubject = (userId: string, channel: Channel): string => `${userId} ${channel}`;

export const computeAccountDigest = (channel: Channel, account: string): HexDigest => digestOf("settings", { channel, account });

const CODE_WINDOW_MS = 10 * 60_000;
/** Crockford's base 32: no I, L, O or U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_CHARS = 8;

type Proven = { readonly workspaceId: string; readonly userId: string; readonly channel: Channel; readonly account: string };

/** @param sign the runner's, so that only it computes codes */
const computeCode = (proven: Proven, window: number, sign: (digest: HexDigest) => string): string => {
  const secret = digestOf("settings", { code: sign(digestOf("settings", { ...proven, window })) });
  const chars = Array.from({ length: CODE_CHARS }, (_, at) => ALPHABET[parseInt(secret.slice(2 * at, 2 * at + 2), 16) % ALPHABET.length]);

  return `${chars.slice(0, 4).join("")}-${chars.slice(4).join("")}`;
};

/** Returns the code that proves an account, valid for 10 to 20 minutes. */
export const createAccountCode = (proven: Proven, nowMs: number, sign: (digest: HexDigest) => string): string =>
  computeCode(proven, Math.floor(nowMs / CODE_WINDOW_MS), sign);

export const isAccountCode = (code: string, proven: Proven, nowMs: number, sign: (digest: HexDigest) => string): boolean => {
  const window = Math.floor(nowMs / CODE_WINDOW_MS);

  return [window, window - 1].some((each) => computeCode(proven, each, sign) === code);
};

type Standing = {
  readonly before: HexDigest | null;
  readonly isProven: boolean;
};

/** @returns the digest afterwards, or why not */
export const decideAccount = (
  by: Principal | null,
  asked: AccountCommand,
  { before, isProven }: Standing,
): { readonly after: HexDigest | null } | RefusalCode => {
  if (by?.type !== "user") return "principal_not_allowed";
  if (asked.kind === "account_unlink") return before === null ? "step_refused" : { after: null };
  if (before !== null) return "step_refused";

  return isProven ? { after: computeAccountDigest(asked.channel, asked.account) } : "code_invalid";
};
