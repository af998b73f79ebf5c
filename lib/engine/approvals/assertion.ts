/** Passkeys and what they sign when somebody decides, as it travels with a decision and as the ledger keeps it. */
import { z } from "zod";

const base64url = (characters: number) =>
  z
    .string()
    .min(1)
    .max(characters)
    .regex(/^[A-Za-z0-9_-]+$/);

/** A passkey as it was registered. */
export const passkeySchema = z.strictObject({
  /** At most 1,023 bytes, as WebAuthn bounds it. */
  credential_id: base64url(1_400),
  /**
   * Of ES256 the uncompressed P-256 point (65 bytes, the first of them 4), of EdDSA the raw Ed25519 key (32 bytes). Its length
   * says which; where COSE has several texts for one key, this is one.
   */
  public_key: z.string().regex(/^(?:[A-Za-z0-9_-]{87}|[A-Za-z0-9_-]{43})$/),
  /** The domain that it is for. */
  rp_id: z
    .string()
    .max(253)
    .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/),
  /** Of the pages that it signs on, exactly. Absent in records from before it was kept. */
  origin: z.string().min(1).max(300).exactOptional(),
});
export type Passkey = z.infer<typeof passkeySchema>;

/** As the browser sends it. Which key it is checked with is the server's to know. */
export const assertionSchema = z.strictObject({
  credential_id: passkeySchema.shape.credential_id,
  authenticator_data: base64url(2_800),
  client_data_json: base64url(5_600),
  /** ES256: DER; EdDSA: 64 bytes. */
  signature: base64url(1_400),
});
export type Assertion = z.infer<typeof assertionSchema>;

/** As it is recorded: with the key that it was checked with, so that it can be checked again without the server. */
export const recordedAssertionSchema = assertionSchema.extend(passkeySchema.shape);
export type RecordedAssertion = z.infer<typeof recordedAssertionSchema>;
