import { hexToBytes } from "@noble/hashes/utils.js";
import { afterEach, describe, expect, it, vi } from "vitest";

const bytes = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(hexToBytes(hex));

/** RFC 8032, section 7.1, test 2. */
const SIGNED = {
  key: bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
  keyText: "test 2",
  signature: bytes(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  ),
  message: bytes("72"),
};

const bend = (of: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => of.with(3, (of[3] ?? 0) ^ 1);
const WRONG = [
  { ...SIGNED, message: bytes("73") },
  { ...SIGNED, signature: bend(SIGNED.signature) },
  { ...SIGNED, key: bend(SIGNED.key), keyText: "bent" },
  { ...SIGNED, key: new Uint8Array(32).fill(255), keyText: "no point" },
  { ...SIGNED, signature: SIGNED.signature.slice(1) },
];

const load = async () => {
  vi.resetModules();

  return import("@/lib/engine/ledger/ed25519");
};

afterEach(() => void vi.unstubAllGlobals().resetModules());

describe.each(["webcrypto", "javascript"] as const)("Ed25519 in %s", (engine) => {
  const start = async () => {
    if (engine === "javascript") vi.stubGlobal("crypto", { subtle: { importKey: () => Promise.reject(new Error("NotSupported")) } });
    const ed25519 = await load();
    expect(await ed25519.loadSignatureEngine()).toBe(engine);

    return ed25519;
  };

  it("accepts the RFC 8032 signature", async () => {
    const { verifyEd25519 } = await start();
    expect(await verifyEd25519(SIGNED)).toBe(true);
  });

  it("rejects any change, and anything that is no key or signature", async () => {
    const { verifyEd25519 } = await start();
    expect(await Promise.all(WRONG.map((wrong) => verifyEd25519(wrong)))).toEqual(WRONG.map(() => false));
  });
});

it("works without WebCrypto", async () => {
  vi.stubGlobal("crypto", {});
  const { loadSignatureEngine: signatureEngine, verifyEd25519 } = await load();

  expect(await signatureEngine()).toBe("javascript");
  expect(await verifyEd25519(SIGNED)).toBe(true);
});
