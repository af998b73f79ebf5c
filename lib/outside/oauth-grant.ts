/** Grants of OAuth clients: an agent token whose secret is replaced with each refresh. */
import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { DAY_MS } from "./token-limits";

export const CODE_MS = 60_000;
export const ACCESS_MS = 3_600_000;
/** From consent; refreshing does not extend it. */
export const GRANT_MS = 30 * DAY_MS;

/** 32 bytes, base64url. */
const bytes32Schema = z.string().regex(/^[\w-]{43}$/);

export const newGrantSchema = z.strictObject({
  /** SHA-256 of the client id, hex. */
  client: hexDigestSchema,
  redirectUri: z.string().max(500),
  /** Ed25519 public key of the part that code and refresh tokens share. */
  familyKey: bytes32Schema,
  /** SHA-256 of the code, later of the refresh token, hex. */
  credential: hexDigestSchema,
  /** PKCE, S256. */
  challenge: bytes32Schema,
});
export type NewGrant = z.infer<typeof newGrantSchema>;

export const oauthGrantSchema = newGrantSchema.extend({
  /** Null: the code was redeemed. */
  challenge: bytes32Schema.nullable(),
  /** ms since 1970. */
  endsAt: z.number(),
});
export type OauthGrant = z.infer<typeof oauthGrantSchema>;

export const redeemCommandSchema = z.strictObject({
  kind: z.literal("token_redeem"),
  token: z.uuid(),
  /** The code or refresh token. */
  secret: z.string().max(100),
  client: hexDigestSchema,
  verifier: z.string().max(128).nullable(),
  /** Null: not repeated. */
  redirectUri: z.string().max(500).nullable(),
  next: z.strictObject({ hash: hexDigestSchema, publicKey: bytes32Schema, hint: z.string().max(20), credential: hexDigestSchema }),
});
export type RedeemCommand = z.infer<typeof redeemCommandSchema>;

type Times = { readonly expiresAt: number; readonly oauth: Pick<OauthGrant, "challenge" | "endsAt"> | null };

/** Returns when a token ends unless it is refreshed no more. */
export const getEnd = ({ expiresAt, oauth }: Times): number => (oauth && oauth.challenge === null ? oauth.endsAt : expiresAt);
