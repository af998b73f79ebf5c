/** Every hash is separated by what it is of, so that a digest of one thing can never be passed off as another. */
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { canonicalJson, type Json } from "@/lib/json";
import { macText, sha256Text } from "@/lib/sha256";

/** Lower-case hex of 32 bytes. */
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
  | "proof";

const domainText = (domain: HashDomain, canonicalText: string): string => `countersign/${domain}/v1\0${canonicalText}`;

/** The bytes that are hashed or signed: `countersign/<domain>/v1\0` and the canonical JSON of `value`. */
export const domainBytes = (domain: HashDomain, value: Json): Uint8Array => utf8ToBytes(domainText(domain, canonicalJson(value)));

/** `digestOf` of a value whose canonical text is at hand already. */
export const digestOfText = (domain: HashDomain, canonicalText: string): HexDigest => sha256Text(domainText(domain, canonicalText));

export const digestOf = (domain: HashDomain, value: Json): HexDigest => digestOfText(domain, canonicalJson(value));

/**
 * The salted commitment of a cell's value: HMAC-SHA-256(salt, JCS(value)).
 * @param saltHex 32 random bytes as hex; with it a value can be revealed with proof, without it the value stays hidden.
 */
export const commitmentOf = (saltHex: string, value: Json): HexDigest =>
  macText(hexToBytes(saltHex), `countersign/cell/v1\0${canonicalJson(value)}`);
