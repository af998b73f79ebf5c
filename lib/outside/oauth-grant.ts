/** Grants of OAuth clients: an agent token whose secret is replaced with each refresh. */
import { z } from "zod";
import type { AgentScope } from "@/lib/engine/principal";
import { hexDigestSchema } from "@/lib/hash";
import { DAY_MS } from "./token-limits";

/** Others are offered, and off. */
export const DEFAULT_SCOPES = ["run.read", "run.drive", "approval.request"] as const satisfies readonly AgentScope[];

export const CODE_MS = 60_000;
export const ACCESS_MS = 3_600_000;
export const GRANT_MS = 30 * DAY_MS;

const bytes32Schema = z.string().regex(/^[\w-]{43}$/);

export const newGrantSchema = z.strictObject({
  client: hexDigestSchema,
  redirectUri: z.string().max(500),
  /** Ed25519 public key of the part that code and refresh tokens share. */
  familyKey: bytes32Schema,
  /** SHA-256 of the code, later of the refresh token, hex. */
  credential: hexDigestSchema,
  challenge: bytes32Schema,
});
export type NewGrant = z.infer<typeof newGrantSchema>;

export const oauthGrantSchema = newGrantSchema.extend({
  /** Null: the code was redeemed. */
  challenge: bytes32Schema.nullable(),
  endsAt: z.number(),
});
export type OauthGrant = z.infer<typeof oauthGrantSchema>;

export const redeemCommandSchema = z.strictObject({
  kind: z.literal("token_redeem"),
  token: z.uuid(),
  secret: z.string().max(100),
  client: hexDigestSchema,
  verifier: z.string().max(128).nullable(),
  redirectUri: z.string().max(500).nullable(),
  next: z.strictObject({ hash: hexDigestSchema, publicKey: bytes32Schema, hint: z.string().max(20), credential: hexDigestSchema }),
});
export type RedeemCommand = z.infer<typeof redeemCommandSchema>;

type Times = { readonly expiresAt: number; readonly oauth: Pick<OauthGrant, "challenge" | "endsAt"> | null };

export const getEnd = ({ expiresAt, oauth }: Times): number => (oauth && oauth.challenge === null ? oauth.endsAt : expiresAt);
