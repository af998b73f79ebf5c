import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { toCanonicalJson, type Json } from "@/lib/json";
import { macText, sha256Text } from "@/lib/sha256";

export const hexDigestSchema = z.string().regex(/^[0-9a-f]{64}$/);
export type HexDigest = z.infer<typeof hexDigestSchema>;

export type HashDomain =
  | "record"
  | "genesis"
  | "proposal"
  | "transition"
  | "view"
  | "graph"
  | "policy"
  | "arguments"
  | "tool"
  | "receipt"
  | "idempotency"
  | "approval"
  | "countersignature"
  | "admin_change"
  | "request"
  | "seed"
  | "export"
  | "head"
  | "leaf"
  | "checkpoint"
  | "handover"
  | "workspace"
  | "validator"
  | "subject"
  | "document"
  | "settings"
  | "command"
  | "proof"
  | "reply"
  | "wait"
  | "artifact";

const domainText = (domain: HashDomain, canonicalText: string): string => `countersign/${domain}/v1\0${canonicalText}`;

export const encodeWithDomain = (domain: HashDomain, value: Json): Uint8Array => utf8ToBytes(domainText(domain, toCanonicalJson(value)));

export const digestOfText = (domain: HashDomain, canonicalText: string): HexDigest => sha256Text(domainText(domain, canonicalText));

export const digestOf = (domain: HashDomain, value: Json): HexDigest => digestOfText(domain, toCanonicalJson(value));

/** Compares in constant time. */
export const isSameDigest = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);

  return difference === 0;
};

/** Computes HMAC-SHA-256(salt, JCS(value)). @param saltHex 32 random bytes */
export const computeCommitment = (saltHex: string, value: Json): HexDigest =>
  macText(hexToBytes(saltHex), `countersign/cell/v1\0${toCanonicalJson(value)}`);
