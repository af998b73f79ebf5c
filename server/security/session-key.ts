/**
 * Keys of those who send commands. A session's seed is in its cookie alone, an agent's is derived from its token; the database
 * has the public keys, by which the control plane verifies.
 * Node's own Ed25519, because a key is made, used or checked with each command.
 */
import { createPrivateKey, createPublicKey, hkdfSync, randomBytes, sign, verify, type KeyObject } from "node:crypto";
import { z } from "zod";
import type { HexDigest } from "@/lib/hash";

const KEY_BYTES = 32;
// DER of a PKCS #8 private key and of an SPKI public key of Ed25519, up to their 32 bytes (RFC 8410).
const PRIVATE_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** 32 bytes, base64url. */
export const keyTextSchema = z.string().regex(/^[\w-]{43}$/);

/** A session and the seed of its key. */
export type SessionKey = { readonly id: string; readonly key: string };

const privateKeyOf = (seed: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, Buffer.from(seed, "base64url")]), format: "der", type: "pkcs8" });

export const publicKeyOf = (seed: string): string =>
  createPublicKey(privateKeyOf(seed)).export({ format: "der", type: "spki" }).subarray(PUBLIC_PREFIX.length).toString("base64url");

export const newSessionSeed = (): string => randomBytes(KEY_BYTES).toString("base64url");

/** Derives the seed of an agent's key from its bearer token, which has 256 random bits. @returns base64url */
export const agentSeed = (token: string): string =>
  Buffer.from(hkdfSync("sha256", token, "", "countersign agent key v1", KEY_BYTES)).toString("base64url");

/** Signs the digest's 32 bytes. @returns base64url */
export const signWithSeed = (seed: string, digest: HexDigest): string =>
  sign(null, Buffer.from(digest, "hex"), privateKeyOf(seed)).toString("base64url");

/** Whether the holder of this public key's seed signed the digest. */
export const isSignedByKey = (publicKey: string, digest: HexDigest, signature: string): boolean => {
  if (!keyTextSchema.safeParse(publicKey).success) return false;
  const key = Buffer.concat([PUBLIC_PREFIX, Buffer.from(publicKey, "base64url")]);

  return verify(
    null,
    Buffer.from(digest, "hex"),
    createPublicKey({ key, format: "der", type: "spki" }),
    Buffer.from(signature, "base64url"),
  );
};
