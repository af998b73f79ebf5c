/** Node's SHA-256 takes a fifth of the library's time; browsers' is only asynchronous. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Lower-case hex of UTF-8 text's hash. */
export type TextHash = (text: string) => string;

export const createPortableHash: TextHash = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/** Creates Node's hash; null elsewhere. */
export const createNativeHash = (): TextHash | null => {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto");

  return crypto ? (text) => crypto.hash("sha256", text, "hex") : null;
};

export const sha256Text: TextHash = createNativeHash() ?? createPortableHash;

/** Lower-case hex of UTF-8 text's HMAC-SHA-256. */
export type TextMac = (key: Uint8Array, text: string) => string;

export const createPortableMac: TextMac = (key, text) => bytesToHex(hmac(sha256, key, utf8ToBytes(text)));

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const [INNER, OUTER] = [0x36, 0x5c];

/** Creates RFC 2104 from two hashes: for short texts, Node's HMAC takes twice the library's time. */
export const createNativeMac = (): TextMac | null => {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto");
  if (!crypto) return null;

  return (key, text) => {
    if (key.length > BLOCK_BYTES) return createPortableMac(key, text);
    const inner = Buffer.allocUnsafe(BLOCK_BYTES + Buffer.byteLength(text));
    const outer = Buffer.allocUnsafe(BLOCK_BYTES + DIGEST_BYTES);
    for (let at = 0; at < BLOCK_BYTES; at += 1) {
      const byte = key[at] ?? 0;
      inner[at] = byte ^ INNER;
      outer[at] = byte ^ OUTER;
    }
    inner.write(text, BLOCK_BYTES);
    crypto.hash("sha256", inner, "buffer").copy(outer, BLOCK_BYTES);

    return crypto.hash("sha256", outer, "hex");
  };
};

export const macText: TextMac = createNativeMac() ?? createPortableMac;
