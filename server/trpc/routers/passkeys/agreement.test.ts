/** @simplewebauthn/server shares no code with our verifier. */
import { verifyAuthenticationResponse } from "@simplewebauthn/server";
import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import type { Assertion, Passkey } from "@/lib/engine/approvals/assertion";
import { verifyAssertion } from "@/lib/engine/approvals/passkey";
import { encodeBase64Url, coseOf, createAuthenticator, type Said } from "@/lib/engine/testing/authenticator";

const CHALLENGE = "ab".repeat(32);
const ORIGIN = "http://localhost:3000";

const theirs = async ({ credential_id: id, public_key, rp_id }: Passkey, assertion: Assertion): Promise<boolean> => {
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          authenticatorData: assertion.authenticator_data,
          clientDataJSON: assertion.client_data_json,
          signature: assertion.signature,
        },
      },
      expectedChallenge: encodeBase64Url(hexToBytes(CHALLENGE)),
      expectedOrigin: ORIGIN,
      expectedRPID: rp_id,
      credential: { id, publicKey: new Uint8Array(coseOf(Buffer.from(public_key, "base64url"))), counter: 0 },
    });

    return verified;
  } catch {
    return false;
  }
};

const SAID: readonly (readonly [string, Said, boolean])[] = [
  ["as it was made", {}, true],
  ["with the other value of s", { highS: true }, true],
  ["with a passkey that is kept in a cloud", { flags: 0x1d }, true],
  ["with an extension's answer", { flags: 0x85, tail: Uint8Array.of(0xa0) }, true],
  ["with an unknown member", { more: { later: 1 } }, true],
  ["without crossOrigin", { crossOrigin: null }, true],
  ["for another challenge", { challenge: encodeBase64Url(new Uint8Array(32)) }, false],
  ["from another origin", { origin: "https://evil.example" }, false],
  ["for another domain", { rpId: "evil.example" }, false],
  ["of a registration", { type: "webauthn.create" }, false],
  ["without a person", { flags: 0x04 }, false],
  ["without the person being verified", { flags: 0x01 }, false],
  ["backed up but not to be", { flags: 0x15 }, false],
  ["with bytes after its end", { tail: Uint8Array.of(1, 2, 3) }, false],
  ["inside another page", { more: { topOrigin: "https://evil.example" } }, false],
];

describe.each(["es256", "eddsa"] as const)("%s", (algorithm) => {
  it.each(SAID)("both agree on an assertion %s", async (_name, said, isValid) => {
    const { passkey, assert } = await createAuthenticator(algorithm);
    const assertion = await assert(CHALLENGE, said);
    expect({ ours: verifyAssertion(passkey, assertion, CHALLENGE), theirs: await theirs(passkey, assertion) }).toEqual({
      ours: isValid,
      theirs: isValid,
    });
  });

  it.each(["authenticator_data", "client_data_json", "signature"] as const)("both reject a flipped byte in %s", async (part) => {
    const { passkey, assert } = await createAuthenticator(algorithm);
    const assertion = await assert(CHALLENGE);
    const bytes = Buffer.from(assertion[part], "base64url");
    bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
    const changed = { ...assertion, [part]: encodeBase64Url(bytes) };
    expect([verifyAssertion(passkey, changed, CHALLENGE), await theirs(passkey, changed)]).toEqual([false, false]);
  });
});
