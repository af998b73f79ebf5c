/** Ed25519 verification, the same in browser, server, CLI and offline page. */
import { hexToBytes } from "@noble/hashes/utils.js";
import type { HexDigest } from "@/lib/hash";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import { receiptBytes } from "@/lib/engine/ledger/chain";
import { verifyEd25519 } from "@/lib/engine/ledger/ed25519";

/** kid -> raw 32-byte public key, base64url. Retired keys stay: what they signed stays signed. */
export type PublicKeys = Readonly<Record<string, string>>;

/** Bytes of canonical base64url without padding; null for anything else. */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> | null => {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  // One text per value: spare bits at the end would let a stored signature be changed unnoticed.
  const canonical = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (canonical !== text) return null;

  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);

  return bytes;
};

/** false for anything that is not a valid signature under exactly that key, malformed input included. */
const verifyBytes = async (publicKey: string, signature: string, message: Uint8Array): Promise<boolean> => {
  const raw = fromBase64Url(publicKey);
  const bytes = fromBase64Url(signature);
  if (raw?.length !== 32 || bytes?.length !== 64) return false;

  return verifyEd25519({ key: raw, keyText: publicKey, signature: bytes, message });
};

export const verifyDigest = (publicKey: string, signature: string, digest: HexDigest): Promise<boolean> =>
  verifyBytes(publicKey, signature, hexToBytes(digest));

/** What a key is said to have signed: the key and the signature in base64url. */
export type SignedDigest = { readonly key: string; readonly signature: string; readonly digest: HexDigest };

/** Whether each is a valid signature, in the same order. Whoever has more than one thread may give another one than the next. */
export type VerifyDigests = (signed: readonly SignedDigest[]) => Promise<readonly boolean[]>;

export const verifyDigests: VerifyDigests = (signed) =>
  Promise.all(signed.map(({ key, signature, digest }) => verifyDigest(key, signature, digest)));

export const verifyReceipt = async (keys: PublicKeys, receipt: Receipt): Promise<boolean> => {
  const key = Object.hasOwn(keys, receipt.kid) ? keys[receipt.kid] : undefined;

  return key === undefined ? false : verifyBytes(key, receipt.signature, receiptBytes(receipt.payload));
};
