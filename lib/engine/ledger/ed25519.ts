/** Ed25519 by WebCrypto, else in JavaScript for old browsers. */
export type SignatureEngine = "webcrypto" | "javascript";

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

/** Returns the engine; probed once. */
export const loadSignatureEngine = (): Promise<SignatureEngine> => (engine ??= probe());

/** Hostile documents may name any number. */
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
  readonly key: Uint8Array<ArrayBuffer>;
  readonly keyText: string;
  readonly signature: Uint8Array<ArrayBuffer>;
  readonly message: Uint8Array;
};

/** Returns whether exactly this key signed. */
export const verifyEd25519 = async (signed: Signed): Promise<boolean> => {
  if ((await loadSignatureEngine()) === "javascript") return (await import("./ed25519-javascript")).verifyInJavaScript(signed);
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
