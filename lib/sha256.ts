/**
 * SHA-256 for the engine, which runs in Node and in browsers. Node's own takes a fifth of the time, and a browser's own answers with
 * promises only, so there it is the library's. Both are tested against the same vectors.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Lower-case hex of the hash of the text's UTF-8 bytes. */
export type TextHash = (text: string) => string;

export const portableHash: TextHash = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/** @returns null where there is no Node */
export const nativeHash = (): TextHash | null => {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto");

  return crypto ? (text) => crypto.hash("sha256", text, "hex") : null;
};

export const sha256Text: TextHash = nativeHash() ?? portableHash;
