/** Ed25519 with WebCrypto where there is one that knows it, and in JavaScript where there is none: old browsers, some pages from files. */
import { ed25519 } from "@noble/curves/ed25519.js";

export type SignatureEngine = "webcrypto" | "javascript";

/** The base point: any valid public key tells whether the algorithm is there. */
const PROBE = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 0x58 : 0x66));

const probe = async (): Promise<SignatureEngine> => {
  try {
    await crypto.subtle.importKey("raw", PROBE, "Ed25519", false, ["verify"]);

    return "webcrypto";
  } catch {
    return "javascript";
  }
};

let engine: Promise<SignatureEngine> | null = null;

/** What signatures are checked with here; asked once. */
export const signatureEngine = (): Promise<SignatureEngine> => (engine ??= probe());

/** An installation has a handful of keys; a hostile document may name any number of them. */
const MOST_KEYS = 64;
const imported = new Map<string, Promise<CryptoKey>>();

const keyOf = (text: string, raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> => {
  const known = imported.get(text);
  if (known) return known;
  if (imported.size >= MOST_KEYS) imported.clear();
  const key = crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
  imported.set(text, key);

  return key;
};

type Signed = {
  /** 32 bytes, and a text that names them and nothing else. */
  readonly key: Uint8Array<ArrayBuffer>;
  readonly keyText: string;
  readonly signature: Uint8Array<ArrayBuffer>;
  readonly message: Uint8Array;
};

/** The strict rules of RFC 8032, as WebCrypto has them. */
const verifyInJavaScript = ({ key, signature, message }: Omit<Signed, "keyText">): boolean => {
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
};

/** false for anything that is not a valid signature under exactly that key. */
export const verifyEd25519 = async (signed: Signed): Promise<boolean> => {
  if ((await signatureEngine()) === "javascript") return verifyInJavaScript(signed);
  try {
    return await crypto.subtle.verify(
      "Ed25519",
      await keyOf(signed.keyText, signed.key),
      signed.signature,
      Uint8Array.from(signed.message),
    );
  } catch {
    return false;
  }
};
