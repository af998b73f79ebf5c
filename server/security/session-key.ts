/** Command senders' keys: seeds in cookies or from tokens, public keys in the database. */
import { createPrivateKey, createPublicKey, hkdfSync, randomBytes, sign, verify, type KeyObject } from "node:crypto";
import { z } from "zod";
import type { HexDigest } from "@/lib/hash";

const KEY_BYTES = 32;
// Prefixes of the 32 bytes (RFC 8410).
const PRIVATE_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** 32 bytes, base64url. */
export const keyTextSchema = z.string().regex(/^[\w-]{43}$/);

/** A session and its seed. */
export type SessionKey = { readonly id: string; readonly key: string };

const privateKeyOf = (seed: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, Buffer.from(seed, "base64url")]), format: "der", type: "pkcs8" });

export const getPublicKey = (seed: string): string =>
  createPublicKey(privateKeyOf(seed)).export({ format: "der", type: "spki" }).subarray(PUBLIC_PREFIX.length).toString("base64url");

export const generateSessionSeed = (): string => randomBytes(KEY_BYTES).toString("base64url");

/** @returns base64url */
export const deriveAgentSeed = (token: string): string =>
  Buffer.from(hkdfSync("sha256", token, "", "countersign agent key v1", KEY_BYTES)).toString("base64url");

/** Signs the digest's 32 bytes. @returns base64url */
export const signWithSeed = (seed: string, digest: HexDigest): string =>
  sign(null, Buffer.from(digest, "hex"), privateKeyOf(seed)).toString("base64url");

/** Verifies a digest's signature. */
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
