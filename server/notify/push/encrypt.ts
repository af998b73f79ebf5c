/** RFC 8291 and RFC 8188. */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { Subscription } from "@/lib/notifications/browser";

const CURVE = "prime256v1";
const RECORD_BYTES = 4_096;
const DELIMITER = 2;

type Fresh = { readonly salt: Uint8Array; readonly privateKey: Uint8Array | null };

const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));

/** @param fresh random, except in tests */
export const encryptPush = (
  text: string,
  { p256dh, auth }: Pick<Subscription, "p256dh" | "auth">,
  { salt, privateKey }: Fresh = { salt: randomBytes(16), privateKey: null },
): Buffer => {
  const own = createECDH(CURVE);
  if (privateKey === null) own.generateKeys();
  else own.setPrivateKey(privateKey);
  const theirs = Buffer.from(p256dh, "base64url");
  const ours = own.getPublicKey();
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, ours]);
  const secret = derive(own.computeSecret(theirs), Buffer.from(auth, "base64url"), info, 32);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const cipher = createCipheriv("aes-128-gcm", key, derive(secret, salt, "Content-Encoding: nonce\0", 12));
  const size = Buffer.alloc(5);
  size.writeUInt32BE(RECORD_BYTES);
  size.writeUInt8(ours.length, 4);

  return Buffer.concat([salt, size, ours, cipher.update(text), cipher.update(Buffer.of(DELIMITER)), cipher.final(), cipher.getAuthTag()]);
};

export const isPublicPoint = (p256dh: string): boolean => {
  try {
    const own = createECDH(CURVE);
    own.generateKeys();
    own.computeSecret(Buffer.from(p256dh, "base64url"));

    return true;
  } catch {
    return false;
  }
};
