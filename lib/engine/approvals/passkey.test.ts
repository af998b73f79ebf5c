import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Assertion } from "@/lib/engine/approvals/assertion";
import {
  computeApprovalChallenge,
  isPasskeyKey,
  verifyAssertion,
  verifyPasskeyBytes,
  type ApprovalPayload,
} from "@/lib/engine/approvals/passkey";
import { encodeBase64Url, createAuthenticator, type Authenticator, type Said } from "@/lib/engine/testing/authenticator";
import ed25519Vectors from "@/lib/testing/vectors/wycheproof/ed25519.json";
import p256Vectors from "@/lib/testing/vectors/wycheproof/p256.json";

const vectorsSchema = z.array(z.tuple([z.string(), z.array(z.tuple([z.number(), z.string(), z.string(), z.enum(["valid", "invalid"])]))]));

describe("signatures", () => {
  it.each([
    ["P-256", p256Vectors, 484],
    ["Ed25519", ed25519Vectors, 151],
  ] as const)("match every Wycheproof vector for %s", (_name, vectors, count) => {
    const rows = vectorsSchema.parse(vectors).flatMap(([key, tests]) => tests.map((vector) => ({ key, vector })));
    const wrong = rows.filter(
      ({ key, vector: [, message, signature, result] }) =>
        verifyPasskeyBytes(encodeBase64Url(hexToBytes(key)), hexToBytes(signature), hexToBytes(message)) !== (result === "valid"),
    );
    expect(rows).toHaveLength(count);
    expect(wrong.map(({ vector }) => vector[0])).toEqual([]);
  });
});

const uuid = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
const payload: ApprovalPayload = {
  v: 1,
  workspace: uuid("1"),
  run: uuid("2"),
  approval_id: uuid("3"),
  transition_digest: "4".repeat(64),
  view_digest: "5".repeat(64),
  decision: "approve",
  nonce: uuid("6"),
  user: uuid("7"),
};
const challenge = computeApprovalChallenge(payload);

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64url"));

const flipped = (text: string, at: number, by: number): string => {
  const bytes = bytesOf(text);
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ by;

  return encodeBase64Url(bytes);
};

describe.each(["es256", "eddsa"] as const)("an assertion with %s", (algorithm) => {
  let authenticator: Authenticator;
  let assertion: Assertion;
  beforeAll(async () => {
    authenticator = await createAuthenticator(algorithm);
    assertion = await authenticator.assert(challenge);
  });
  const verifies = (changed: Partial<Assertion> = {}, asked = challenge) =>
    verifyAssertion(authenticator.passkey, { ...assertion, ...changed }, asked);
  const says = async (said: Said) => verifyAssertion(authenticator.passkey, await authenticator.assert(challenge, said), challenge);

  it("verifies unmodified", () => {
    expect(verifies()).toBe(true);
    expect(isPasskeyKey(authenticator.passkey.public_key)).toBe(true);
  });

  it("covers one decision: any changed field invalidates it", () => {
    const others: Partial<ApprovalPayload>[] = [
      { workspace: uuid("8") },
      { run: uuid("8") },
      { approval_id: uuid("8") },
      { transition_digest: "8".repeat(64) },
      { view_digest: "8".repeat(64) },
      { decision: "reject" },
      { nonce: uuid("8") },
      { user: uuid("8") },
    ];
    expect(others.filter((other) => verifies({}, computeApprovalChallenge({ ...payload, ...other })))).toEqual([]);
  });

  it("is invalid with any changed byte of it or of the key", () => {
    const part = fc.constantFrom("authenticator_data", "client_data_json", "signature", "credential_id", "public_key");
    fc.assert(
      fc.property(part, fc.nat(2_000), fc.integer({ min: 1, max: 255 }), (name, at, by) => {
        const { passkey } = authenticator;
        const changed = { public_key: passkey.public_key, ...assertion };
        changed[name] = flipped(changed[name], at, by);
        const { public_key, ...rest } = changed;

        expect(verifyAssertion({ ...passkey, public_key }, rest, challenge)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("is invalid when truncated, extended or not base64url", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("authenticator_data", "client_data_json", "signature"),
        fc.oneof(fc.string(), fc.nat(36).map(String), fc.constantFrom("", "====", "AA", "é")),
        (name, text) => {
          expect(verifies({ [name]: text })).toBe(false);
          expect(verifies({ [name]: `${assertion[name]}${text}A` })).toBe(false);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("is accepted from the passkey's own origin only", async () => {
    expect(await says({ origin: "http://localhost:3000" })).toBe(true);
    for (const origin of ["http://localhost:3398", "https://localhost:3000", "http://app.localhost:3000", "http://localhost"])
      expect([origin, await says({ origin })]).toEqual([origin, false]);
  });

  it("without a stored origin is accepted from the domain's pages, over https or locally", async () => {
    const { origin: _unknown, ...old } = authenticator.passkey;
    const saysOld = async (said: Said) => verifyAssertion(old, await authenticator.assert(challenge, said), challenge);
    expect(await saysOld({ origin: "https://localhost" })).toBe(true);
    expect(await saysOld({ origin: "http://app.localhost:81" })).toBe(true);
    const strangers = [
      "http://127.0.0.1:3000",
      "https://evil-localhost",
      "http://localhost.evil.net",
      "null",
      "http://localhost:3000/",
      "",
    ];
    for (const origin of strangers) expect([origin, await saysOld({ origin })]).toEqual([origin, false]);
    const named = await createAuthenticator(algorithm, "countersign.example");
    const { origin: _kept, ...oldNamed } = named.passkey;
    const at = async (origin: string) => verifyAssertion(oldNamed, await named.assert(challenge, { origin }), challenge);
    expect(await at("https://countersign.example")).toBe(true);
    expect(await at("https://desk.countersign.example:8443")).toBe(true);
    for (const origin of ["http://countersign.example", "https://example", "https://notcountersign.example", "http://localhost:3000"]) {
      expect([origin, await at(origin)]).toEqual([origin, false]);
    }
  });

  it("needs user presence and verification, the domain's hash, and the right ceremony", async () => {
    for (const flags of [0x00, 0x01, 0x04, 0x45, 0x15, 0x85]) expect([flags, await says({ flags })]).toEqual([flags, false]);
    expect(await says({ flags: 0x1d })).toBe(true);
    expect(await says({ rpId: "evil.example" })).toBe(false);
    expect(await says({ type: "webauthn.create" })).toBe(false);
    expect(await says({ crossOrigin: true })).toBe(false);
    expect(await says({ crossOrigin: null })).toBe(true);
    expect(await says({ more: { topOrigin: "https://evil.example" } })).toBe(false);
    expect(await says({ challenge: encodeBase64Url(utf8ToBytes("another challenge of 32 bytes...")) })).toBe(false);
  });

  it("may carry extensions and unknown client data members", async () => {
    expect(await says({ flags: 0x85, tail: Uint8Array.of(0xa0) })).toBe(true);
    expect(await says({ tail: Uint8Array.of(0xa0) })).toBe(false);
    expect(await says({ more: { other_keys_can_be_added_here: "do not compare clientDataJSON against a template" } })).toBe(true);
  });

  it("is invalid under another key or credential", async () => {
    const other = await createAuthenticator(algorithm);
    expect(verifyAssertion({ ...other.passkey, credential_id: assertion.credential_id }, assertion, challenge)).toBe(false);
    expect(verifyAssertion({ ...authenticator.passkey, credential_id: other.passkey.credential_id }, assertion, challenge)).toBe(false);
  });
});

describe("permitted differences of authenticators", () => {
  it("both values of s are valid, and client data is UTF-8 without a byte order mark", async () => {
    const authenticator = await createAuthenticator("es256");
    const high = await authenticator.assert(challenge, { highS: true });
    expect(verifyAssertion(authenticator.passkey, high, challenge)).toBe(true);
    const marked = encodeBase64Url(concatBytes(Uint8Array.of(0xef, 0xbb, 0xbf), bytesOf(high.client_data_json)));
    expect(verifyAssertion(authenticator.passkey, { ...high, client_data_json: marked }, challenge)).toBe(false);
  });

  it("a key off its curve verifies nothing", () => {
    expect(isPasskeyKey(encodeBase64Url(concatBytes(Uint8Array.of(4), new Uint8Array(64).fill(1))))).toBe(false);
    expect(isPasskeyKey(encodeBase64Url(new Uint8Array(33).fill(2)))).toBe(false);
    expect(isPasskeyKey("é")).toBe(false);
  });
});
