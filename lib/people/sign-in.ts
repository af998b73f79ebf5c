/** What the web process asks of the control plane before it knows a workspace: to sign somebody in, or to take a proof. */
import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";

/** The session that is asked for: its public key, and where it is asked for from. */
const newSession = {
  public_key: z.string().regex(/^[\w-]{43}$/),
  address: z.string().max(64),
  user_agent: z.string().max(200),
};

const password = z.string().min(1).max(200);

export const signInRequestSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("password"), email: z.string().min(3).max(254), password, ...newSession }),
  /** An account of the demo, which has no password. */
  z.strictObject({ type: z.literal("demo"), user: uuidSchema, ...newSession }),
  /** The ID token of the identity provider. */
  z.strictObject({ type: z.literal("identity"), token: z.string().min(1).max(16_384), ...newSession }),
  /** Of an open session: its person is still there. Null: an account of the demo, which has no password. */
  z.strictObject({
    type: z.literal("proof"),
    user: uuidSchema,
    session: uuidSchema,
    password: password.nullable(),
    /** Milliseconds since 1970. */
    sent_at: z.number().int().min(0),
    /** Ed25519 by the session over `proofDigest`, base64url. */
    signature: z.string().max(100),
  }),
]);
export type SignInRequest = z.infer<typeof signInRequestSchema>;
export type ProofRequest = Extract<SignInRequest, { type: "proof" }>;
export type NewSession = Pick<Extract<SignInRequest, { type: "demo" }>, keyof typeof newSession>;

/** What a session signs to prove that its person is there. @param request the id of the request */
export const proofDigest = (request: string, { user, session, password: typed, sent_at }: Omit<ProofRequest, "signature">): HexDigest =>
  digestOf("proof", { request, user, session, password: typed, sent_at });

/** Why nobody was let in. `denied` is one answer for a wrong password, an unknown account and a disabled one. */
export const signInRefusalSchema = z.enum([
  "denied",
  "rate_limited",
  /** Rows are not what the signed records say. Only told to who proved who they are. */
  "authority_mismatch",
  "malformed",
  "issuer",
  "email_unverified",
  "email_domain",
  "unknown",
  "disabled",
  "email_known",
  /** Not signed by the provider for this installation, too old, or used before. */
  "token_invalid",
]);
export type SignInRefusal = z.infer<typeof signInRefusalSchema>;

export const signInAnswerSchema = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("ok"), user: uuidSchema, session_version: z.number().int(), session: uuidSchema }),
  z.strictObject({ status: z.literal("proved"), at: z.number().int() }),
  z.strictObject({ status: z.literal("refused"), code: signInRefusalSchema }),
]);
export type SignInAnswer = z.infer<typeof signInAnswerSchema>;

/** Requests belong to no workspace yet: they are sealed under a key of their own, for their id. */
export const SIGN_IN_WORKSPACE = "00000000-0000-0000-0000-000000000000";
export const signInPlace = (id: string): string => `sign-in/${id}`;
