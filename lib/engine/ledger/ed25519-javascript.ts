import { ed25519 } from "@noble/curves/ed25519.js";

type Signed = { readonly key: Uint8Array; readonly signature: Uint8Array; readonly message: Uint8Array };

/** Verifies by the strict rules of RFC 8032, as WebCrypto does. */
export const verifyInJavaScript = ({ key, signature, message }: Signed): boolean => {
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
};
