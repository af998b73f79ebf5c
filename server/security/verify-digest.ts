/** Costs the calling thread a third of the engine's `verifyDigest`. */
import { createPublicKey, verify, type KeyObject } from "node:crypto";
import type { SignedDigest } from "@/lib/engine/ledger/signature";

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Canonical only. */
const bytesOf = (text: string, length: number): Buffer | null => {
  const bytes = Buffer.from(text, "base64url");

  return bytes.length === length && bytes.toString("base64url") === text ? bytes : null;
};

const MOST_KEYS = 64;
const imported = new Map<string, KeyObject | null>();

const importKey = (text: string): KeyObject | null => {
  if (!bytesOf(text, KEY_BYTES)) return null;
  try {
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: text }, format: "jwk" });
  } catch {
    return null;
  }
};

const keyOf = (text: string): KeyObject | null => {
  const known = imported.get(text);
  if (known !== undefined) return known;
  if (imported.size >= MOST_KEYS) imported.clear();
  const key = importKey(text);
  imported.set(text, key);

  return key;
};

/** Verifies on another thread. */
export const verifyDigestHere = ({ key: keyText, signature, digest }: SignedDigest): Promise<boolean> => {
  const key = keyOf(keyText);
  const bytes = bytesOf(signature, SIGNATURE_BYTES);
  if (!key || !bytes || !/^[0-9a-f]{64}$/u.test(digest)) return Promise.resolve(false);

  return new Promise((resolve) => {
    verify(null, Buffer.from(digest, "hex"), key, bytes, (error, isValid) => resolve(error === null && isValid));
  });
};
