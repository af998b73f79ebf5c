import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";

const newSession = {
  public_key: z.string().regex(/^[\w-]{43}$/),
  address: z.string().max(64),
  user_agent: z.string().max(200),
};

const tokenSchema = z.string().min(1).max(16_384);
const linkSchema = z.string().min(1).max(200);

export const entrySchema = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("membership"), workspace: uuidSchema }),
  z.strictObject({ by: z.literal("invite"), token: linkSchema }),
  z.strictObject({ by: z.literal("setup"), token: linkSchema, name: z.string().trim().min(1).max(100) }),
  z.strictObject({ by: z.literal("creation"), name: z.string().trim().min(1).max(100) }),
]);
export type Entry = z.infer<typeof entrySchema>;

const password = z.string().min(1).max(200);

export const signInRequestSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("password"), email: z.string().min(3).max(254), password, ...newSession }),
  z.strictObject({ type: z.literal("demo"), user: uuidSchema, ...newSession }),
  z.strictObject({ type: z.literal("identity"), token: tokenSchema, ...newSession }),
  z.strictObject({ type: z.literal("logout"), token: tokenSchema }),
  z.strictObject({
    type: z.literal("proof"),
    user: uuidSchema,
    session: uuidSchema,
    password: password.nullable(),
    /** ms since 1970. */
    sent_at: z.number().int().min(0),
    /** Ed25519 over `computeProofDigest`, base64url. */
    signature: z.string().max(100),
  }),
  /** Into another workspace of the account. */
  z.strictObject({
    type: z.literal("enter"),
    user: uuidSchema,
    session: uuidSchema,
    into: entrySchema,
    sent_at: z.number().int().min(0),
    signature: z.string().max(100),
    ...newSession,
  }),
]);
export type SignInRequest = z.infer<typeof signInRequestSchema>;
export type ProofRequest = Extract<SignInRequest, { type: "proof" }>;
export type EntryRequest = Extract<SignInRequest, { type: "enter" }>;
export type NewSession = Pick<Extract<SignInRequest, { type: "demo" }>, keyof typeof newSession>;

export const computeProofDigest = (
  request: string,
  { user, session, password: typed, sent_at }: Omit<ProofRequest, "signature">,
): HexDigest => digestOf("proof", { request, user, session, password: typed, sent_at });

export const computeEntryDigest = (
  request: string,
  { user, session, into, public_key, address, user_agent, sent_at }: Omit<EntryRequest, "type" | "signature">,
): HexDigest => digestOf("proof", { request, user, session, into, public_key, address, user_agent, sent_at });

/** `denied`: wrong password, or unknown or disabled account. */
export const signInRefusalSchema = z.enum([
  "denied",
  "rate_limited",
  /** Told only after proof of identity. */
  "authority_mismatch",
  "malformed",
  "issuer",
  "email_unverified",
  "email_domain",
  "unknown",
  "disabled",
  "email_known",
  /** Too many, or kept elsewhere. */
  "groups_unreadable",
  /** Not from the provider for this installation, too old, or used before. */
  "token_invalid",
  "not_member",
  /** Over, or for another address. */
  "link_invalid",
  "step_up_required",
]);
export type SignInRefusal = z.infer<typeof signInRefusalSchema>;

export const signInAnswerSchema = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("ok"), user: uuidSchema, session_version: z.number().int(), session: uuidSchema }),
  z.strictObject({ status: z.literal("proved"), at: z.number().int() }),
  z.strictObject({ status: z.literal("signed_out") }),
  z.strictObject({ status: z.literal("refused"), code: signInRefusalSchema }),
]);
export type SignInAnswer = z.infer<typeof signInAnswerSchema>;

/** Sealed under a separate key, bound to the request id. */
export const SIGN_IN_WORKSPACE = "00000000-0000-0000-0000-000000000000";
export const signInPlace = (id: string): string => `sign-in/${id}`;
