/** Ed25519 verification for all verifiers. */
import { hexToBytes } from "@noble/hashes/utils.js";
import type { HexDigest } from "@/lib/hash";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import { encodeReceipt } from "@/lib/engine/ledger/chain";
import { verifyEd25519 } from "@/lib/engine/ledger/ed25519";

/** kid -> raw public key, base64url, retired ones included. */
export type PublicKeys = Readonly<Record<string, string>>;

/** Decodes canonical unpadded base64url; else null. */
export const decodeBase64Url = (text: string): Uint8Array<ArrayBuffer> | null => {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  // Spare bits would allow unnoticed changes to a stored signature.
  const canonical = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (canonical !== text) return null;

  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);

  return bytes;
};

const verifyBytes = async (publicKey: string, signature: string, message: Uint8Array): Promise<boolean> => {
  const raw = decodeBase64Url(publicKey);
  const bytes = decodeBase64Url(signature);
  if (raw?.length !== 32 || bytes?.length !== 64) return false;

  return verifyEd25519({ key: raw, keyText: publicKey, signature: bytes, message });
};

export const verifyDigest = (publicKey: string, signature: string, digest: HexDigest): Promise<boolean> =>
  verifyBytes(publicKey, signature, hexToBytes(digest));

export type SignedDigest = { readonly key: string; readonly signature: string; readonly digest: HexDigest };

/** Verifies each, in order; hosts with threads can replace it. */
export type VerifyDigests = (signed: readonly SignedDigest[]) => Promise<readonly boolean[]>;

export const verifyDigests: VerifyDigests = (signed) =>
  Promise.all(signed.map(({ key, signature, digest }) => verifyDigest(key, signature, digest)));

export const verifyReceipt = async (keys: PublicKeys, receipt: Receipt): Promise<boolean> => {
  const key = Object.hasOwn(keys, receipt.kid) ? keys[receipt.kid] : undefined;

  return key === undefined ? false : verifyBytes(key, receipt.signature, encodeReceipt(receipt.payload));
};
