import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { HexDigest } from "@/lib/hash";
import type { Assertion, Passkey } from "@/lib/engine/approvals/assertion";

export const encodeBase64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

export type Said = {
  readonly type?: string;
  readonly origin?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean | null;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly flags?: number;
  readonly rpId?: string;
  readonly tail?: Uint8Array;
  readonly highS?: boolean;
};

export type Authenticator = {
  readonly passkey: Passkey;
  readonly assert: (challenge: HexDigest, said?: Said) => Promise<Assertion>;
  readonly attest: (challenge: string, said?: Said) => Promise<{ client_data_json: string; attestation_object: string }>;
};

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const PRESENT_AND_VERIFIED = 0x05;
const ATTESTED = 0x40;

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

const derInteger = (value: bigint): Uint8Array => {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  const positive = (bytes[0] ?? 0) >= 0x80 ? concatBytes(Uint8Array.of(0), bytes) : bytes;

  return concatBytes(Uint8Array.of(0x02, positive.length), positive);
};

/** Authenticators send DER, with either value of s. */
const derOf = (raw: Uint8Array, isHigh: boolean): Uint8Array => {
  const s = toNumber(raw.subarray(32));
  const wanted = s > ORDER / 2n === isHigh ? s : ORDER - s;
  const both = concatBytes(derInteger(toNumber(raw.subarray(0, 32))), derInteger(wanted));

  return concatBytes(Uint8Array.of(0x30, both.length), both);
};

const cborBytes = (bytes: Uint8Array): Uint8Array =>
  concatBytes(bytes.length < 256 ? Uint8Array.of(0x58, bytes.length) : Uint8Array.of(0x59, bytes.length >> 8, bytes.length & 0xff), bytes);

/** Encodes a public key as COSE. */
export const coseOf = (key: Uint8Array): Uint8Array =>
  key.length === 65
    ? concatBytes(
        Uint8Array.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21),
        cborBytes(key.subarray(1, 33)),
        Uint8Array.of(0x22),
        cborBytes(key.subarray(33)),
      )
    : concatBytes(Uint8Array.of(0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21), cborBytes(key));

const cborText = (text: string): Uint8Array => concatBytes(Uint8Array.of(0x60 + text.length), utf8ToBytes(text));

const attestationObject = (data: Uint8Array): Uint8Array =>
  concatBytes(
    Uint8Array.of(0xa3),
    cborText("fmt"),
    cborText("none"),
    cborText("attStmt"),
    Uint8Array.of(0xa0),
    cborText("authData"),
    cborBytes(data),
  );

const ORIGIN = "http://localhost:3000";

const clientData = (type: string, challenge: string, said: Said): Uint8Array =>
  utf8ToBytes(
    JSON.stringify({
      type: said.type ?? type,
      challenge: said.challenge ?? challenge,
      origin: said.origin,
      ...(said.crossOrigin === null ? {} : { crossOrigin: said.crossOrigin ?? false }),
      ...said.more,
    }),
  );

const PARAMETERS = {
  es256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  eddsa: { name: "Ed25519" },
} as const;

export const createAuthenticator = async (algorithm: "es256" | "eddsa", rpId = "localhost", origin = ORIGIN): Promise<Authenticator> => {
  const parameters = PARAMETERS[algorithm];
  const pair = (await crypto.subtle.generateKey(parameters, true, ["sign", "verify"])) as CryptoKeyPair;
  const key = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const id = crypto.getRandomValues(new Uint8Array(32));
  const passkey = { credential_id: encodeBase64Url(id), public_key: encodeBase64Url(key), rp_id: rpId, origin };
  const dataOf = (said: Said, flags: number, tail: Uint8Array): Uint8Array =>
    concatBytes(sha256(utf8ToBytes(said.rpId ?? rpId)), Uint8Array.of(said.flags ?? flags, 0, 0, 0, 7), said.tail ?? tail);

  return {
    passkey,
    assert: async (challenge, said = {}) => {
      const data = dataOf(said, PRESENT_AND_VERIFIED, new Uint8Array());
      const client = clientData("webauthn.get", encodeBase64Url(hexToBytes(challenge)), { origin, ...said });
      const raw = new Uint8Array(await crypto.subtle.sign(parameters, pair.privateKey, Uint8Array.from(concatBytes(data, sha256(client)))));

      return {
        credential_id: passkey.credential_id,
        authenticator_data: encodeBase64Url(data),
        client_data_json: encodeBase64Url(client),
        signature: encodeBase64Url(algorithm === "es256" ? derOf(raw, said.highS ?? false) : raw),
      };
    },
    attest: (challenge, said = {}) => {
      const attested = concatBytes(new Uint8Array(16), Uint8Array.of(0, id.length), id, coseOf(key));
      const data = dataOf(said, PRESENT_AND_VERIFIED | ATTESTED, attested);

      return Promise.resolve({
        client_data_json: encodeBase64Url(clientData("webauthn.create", challenge, { origin, ...said })),
        attestation_object: encodeBase64Url(attestationObject(data)),
      });
    },
  };
};
