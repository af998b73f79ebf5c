/** The signing key: read by the runner's commit module alone, from a file outside the database. */
import { createHash, createPrivateKey, createPublicKey, sign as signBytes, type KeyObject } from "node:crypto";
import path from "node:path";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { HexDigest } from "@/lib/hash";
import { receiptBytes } from "@/lib/engine/chain";
import type { ReceiptPayload } from "@/lib/engine/receipt";
import { readPrivateFile } from "@/server/security/private-file";

export type Signer = {
  readonly kid: string;
  /** Raw 32 bytes, base64url. */
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

/** A key's name is the start of its public key's hash, so that it cannot be given to another key. */
const kidOf = (publicKey: string): string => createHash("sha256").update(publicKey).digest("hex").slice(0, 16);

export const signerFromPem = (pem: string): Signer => {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ed25519") throw new TypeError("the signing key is not an Ed25519 key");
  const publicKey = rawPublicKey(key);
  const kid = kidOf(publicKey);
  const sign = (bytes: Uint8Array) => signBytes(null, bytes, key).toString("base64url");

  return {
    kid,
    publicKey,
    signDigest: (digest) => sign(hexToBytes(digest)),
    signReceipt: (payload) => ({ kid, signature: sign(receiptBytes(payload)) }),
  };
};

/** @throws when the file is missing or readable by others */
export const loadSigner = (home: string): Signer => signerFromPem(readPrivateFile(path.join(home, "keys", "signing.key")));
