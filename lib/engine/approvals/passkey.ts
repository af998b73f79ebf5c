/** Verifies passkey assertions without the server. */
import { ed25519 } from "@noble/curves/ed25519.js";
import { p256 } from "@noble/curves/nist.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import { passkeySchema, type Assertion, type Passkey } from "@/lib/engine/approvals/assertion";
import { decodeBase64Url } from "@/lib/engine/ledger/signature";

export type ApprovalPayload = {
  readonly v: 1;
  readonly workspace: string;
  readonly run: string;
  readonly approval_id: string;
  readonly transition_digest: HexDigest;
  readonly view_digest: HexDigest;
  readonly decision: string;
  readonly nonce: string;
  readonly user: string;
};

/** Returns the WebAuthn challenge (32 bytes, hex). */
export const computeApprovalChallenge = (payload: ApprovalPayload): HexDigest =>
  digestOf("approval", {
    v: payload.v,
    workspace: payload.workspace,
    run: payload.run,
    approval_id: payload.approval_id,
    transition_digest: payload.transition_digest,
    view_digest: payload.view_digest,
    decision: payload.decision,
    nonce: payload.nonce,
    user: payload.user,
  });

const FLAGS = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40, extended: 0x80 } as const;
const BARE_BYTES = 37;

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, index) => byte === b[index]);

const isAuthenticated = (data: Uint8Array, rpId: string): boolean => {
  const flags = data[32];
  if (flags === undefined || data.length < BARE_BYTES || !isSame(data.subarray(0, 32), sha256(utf8ToBytes(rpId)))) return false;
  const has = (flag: number) => (flags & flag) !== 0;
  if (!has(FLAGS.present) || !has(FLAGS.verified) || has(FLAGS.attested)) return false;
  if (has(FLAGS.backedUp) && !has(FLAGS.backupEligible)) return false;

  // Extension data is signed too but ignored.
  return has(FLAGS.extended) ? data.length > BARE_BYTES : data.length === BARE_BYTES;
};

const isAtOrBelowDomain = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Returns whether the origin is https or local, and in the domain. */
export const isOriginOf = (origin: string, rpId: string): boolean => {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return false;
  const isOwnMachine = url.protocol === "http:" && isAtOrBelowDomain(url.hostname, "localhost");

  return (url.protocol === "https:" || isOwnMachine) && isAtOrBelowDomain(url.hostname, rpId);
};

/** Browsers may add members; only these count. */
const clientDataSchema = z.looseObject({
  type: z.literal("webauthn.get"),
  challenge: z.string(),
  origin: z.string().max(2_000),
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.undefined().optional(),
});

const isAskedHere = (bytes: Uint8Array, challenge: HexDigest, { rp_id: rpId, origin }: Passkey): boolean => {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const data = clientDataSchema.safeParse(JSON.parse(text)).data;
  const asked = data && decodeBase64Url(data.challenge);

  if (data === undefined || !asked || !isSame(asked, hexToBytes(challenge))) return false;

  // Browsers accept any port and subdomain, so compare the exact origin.
  return isOriginOf(data.origin, rpId) && (origin === undefined || data.origin === origin);
};

type Key = { readonly algorithm: "es256" | "eddsa"; readonly bytes: Uint8Array };

const keyOf = (publicKey: string): Key | null => {
  const bytes = passkeySchema.shape.public_key.safeParse(publicKey).success ? decodeBase64Url(publicKey) : null;
  if (bytes?.length === 32) return { algorithm: "eddsa", bytes };

  return bytes?.length === 65 && bytes[0] === 0x04 ? { algorithm: "es256", bytes } : null;
};

/** Returns whether the key is well-formed and on its curve. */
export const isPasskeyKey = (publicKey: string): boolean => {
  try {
    const key = keyOf(publicKey);
    if (!key) return false;

    return key.algorithm === "es256" ? p256.utils.isValidPublicKey(key.bytes, false) : ed25519.utils.isValidPublicKey(key.bytes, false);
  } catch {
    return false;
  }
};

/**
 * Verifies a signature. Accepts high `s` (WebAuthn); requires strict DER.
 * @param publicKey as in `passkeySchema`
 */
export const verifyPasskeyBytes = (publicKey: string, signature: Uint8Array, message: Uint8Array): boolean => {
  try {
    const key = keyOf(publicKey);
    if (!key) return false;

    return key.algorithm === "es256"
      ? p256.verify(signature, message, key.bytes, { lowS: false, format: "der" })
      : ed25519.verify(signature, message, key.bytes, { zip215: false });
  } catch {
    return false;
  }
};

/**
 * Verifies an assertion on its origin or domain; false for malformed input.
 * @param challenge of `computeApprovalChallenge`
 */
export const verifyAssertion = (passkey: Passkey, assertion: Assertion, challenge: HexDigest): boolean => {
  try {
    if (assertion.credential_id !== passkey.credential_id) return false;
    const data = decodeBase64Url(assertion.authenticator_data);
    const client = decodeBase64Url(assertion.client_data_json);
    const signature = decodeBase64Url(assertion.signature);
    if (!data || !client || !signature) return false;
    if (!isAuthenticated(data, passkey.rp_id) || !isAskedHere(client, challenge, passkey)) return false;

    return verifyPasskeyBytes(passkey.public_key, signature, concatBytes(data, sha256(client)));
  } catch {
    return false;
  }
};
