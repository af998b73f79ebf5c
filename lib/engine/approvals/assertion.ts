import { z } from "zod";

const base64url = (characters: number) =>
  z
    .string()
    .min(1)
    .max(characters)
    .regex(/^[A-Za-z0-9_-]+$/);

export const passkeySchema = z.strictObject({
  /** At most 1,023 bytes, the bound of WebAuthn. */
  credential_id: base64url(1_400),
  /** ES256: uncompressed P-256 point (65 bytes); EdDSA: raw Ed25519 key (32 bytes). One encoding per key, unlike COSE. */
  public_key: z.string().regex(/^(?:[A-Za-z0-9_-]{87}|[A-Za-z0-9_-]{43})$/),
  /** Relying party domain. */
  rp_id: z
    .string()
    .max(253)
    .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/),
  /** Exact origin of the pages it signs on. Absent in older records. */
  origin: z.string().min(1).max(300).exactOptional(),
});
export type Passkey = z.infer<typeof passkeySchema>;

export const assertionSchema = z.strictObject({
  credential_id: passkeySchema.shape.credential_id,
  authenticator_data: base64url(2_800),
  client_data_json: base64url(5_600),
  /** ES256: DER; EdDSA: 64 bytes. */
  signature: base64url(1_400),
});
export type Assertion = z.infer<typeof assertionSchema>;

/** Includes the key, so that verification needs no server. */
export const recordedAssertionSchema = assertionSchema.extend(passkeySchema.shape);
export type RecordedAssertion = z.infer<typeof recordedAssertionSchema>;
