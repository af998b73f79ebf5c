/** VAPID, RFC 8292. Only runners read the key. */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { readPrivateFile } from "@/server/security/private-file";

export type PushKey = {
  readonly publicKey: string;
  readonly authorize: (endpoint: string, contact: string, nowMs: number) => string;
};

const LASTS_S = 12 * 3_600;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export const loadPushKeyFromPem = (pem: string): PushKey => {
  const key = createPrivateKey(pem);
  const { crv, x = "", y = "" } = createPublicKey(key).export({ format: "jwk" });
  if (crv !== "P-256") throw new TypeError("the push key is not a P-256 key");
  const publicKey = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]).toString("base64url");

  return {
    publicKey,
    authorize: (endpoint, contact, nowMs) => {
      const claims = { aud: new URL(endpoint).origin, exp: Math.floor(nowMs / 1_000) + LASTS_S, sub: contact };
      const signed = `${encode({ typ: "JWT", alg: "ES256" })}.${encode(claims)}`;
      const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");

      return `vapid t=${signed}.${signature}, k=${publicKey}`;
    },
  };
};

/** Null: the folder is older than web push. */
export const loadPushKey = (home: string): PushKey | null => {
  const file = path.join(home, "keys", "push.key");

  return existsSync(file) ? loadPushKeyFromPem(readPrivateFile(file)) : null;
};
