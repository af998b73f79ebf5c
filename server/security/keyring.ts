/** The signing key, read only by the commit module. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign as signBytes, type KeyObject } from "node:crypto";
import { existsSync, renameSync } from "node:fs";
import path from "node:path";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { HexDigest } from "@/lib/hash";
import { encodeReceipt } from "@/lib/engine/ledger/chain";
import type { ReceiptPayload } from "@/lib/engine/approvals/receipt";
import { computeKid } from "@/lib/engine/ledger/trust-anchor";
import { readPrivateFile, writePrivateFile } from "@/server/security/private-file";

export type Signer = {
  readonly kid: string;
  /** 32 bytes, base64url. */
  readonly publicKey: string;
  /** Ed25519 over the digest's 32 bytes, base64url. */
  signDigest(digest: HexDigest): string;
  signReceipt(payload: ReceiptPayload): { readonly kid: string; readonly signature: string };
};

const rawPublicKey = (key: KeyObject): string => {
  const { x } = createPublicKey(key).export({ format: "jwk" });
  if (x === undefined) throw new TypeError("the signing key is not an Ed25519 key");

  return x;
};

export const loadSignerFromPem = (pem: string): Signer => {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ed25519") throw new TypeError("the signing key is not an Ed25519 key");
  const publicKey = rawPublicKey(key);
  const kid = computeKid(publicKey);
  const sign = (bytes: Uint8Array) => signBytes(null, bytes, key).toString("base64url");

  return {
    kid,
    publicKey,
    signDigest: (digest) => sign(hexToBytes(digest)),
    signReceipt: (payload) => ({ kid, signature: sign(encodeReceipt(payload)) }),
  };
};

const KEY = "signing.key";
const NEXT = "next-signing.key";

const fileOf = (home: string, name: string): string => path.join(home, "keys", name);

/** @throws when missing or readable by others */
export const loadSigner = (home: string): Signer => loadSignerFromPem(readPrivateFile(fileOf(home, KEY)));

/** Loads a rotation's key, or null. */
export const loadNextSigner = (home: string): Signer | null =>
  existsSync(fileOf(home, NEXT)) ? loadSignerFromPem(readPrivateFile(fileOf(home, NEXT))) : null;

/** Makes or reuses the next key. */
export const makeNextSigner = (home: string): Signer => {
  const made = loadNextSigner(home);
  if (made) return made;
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  writePrivateFile(fileOf(home, NEXT), pem);

  return loadSignerFromPem(pem);
};

/** Replaces the signing key by the next. */
export const takeNextSigner = (home: string): void => {
  if (existsSync(fileOf(home, NEXT))) renameSync(fileOf(home, NEXT), fileOf(home, KEY));
};
