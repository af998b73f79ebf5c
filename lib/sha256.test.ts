import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNativeHash, createNativeMac, createPortableHash, createPortableMac } from "@/lib/sha256";

/** FIPS 180-4, appendix B of its second edition, and the empty text. */
const KNOWN = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"],
] as const;

describe("SHA-256 of a text", () => {
  it.each(KNOWN)("of %j matches the standard in Node and browsers", (text, digest) => {
    expect([createNativeHash()?.(text), createPortableHash(text)]).toEqual([digest, digest]);
  });

  it("is equal in Node and browsers for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 2_000 }), (text) => {
        expect(createNativeHash()?.(text)).toBe(createPortableHash(text));
      }),
    );
  });
});

/** RFC 4231, test cases 1, 2 and 6: key as hex, text, HMAC. */
const KNOWN_MACS = [
  ["0b".repeat(20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
  ["4a656665", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"],
  [
    "aa".repeat(131),
    "Test Using Larger Than Block-Size Key - Hash Key First",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  ],
] as const;

describe("HMAC-SHA-256 of a text", () => {
  it.each(KNOWN_MACS)("under the key %s, of %j, matches the standard in Node and browsers", (hex, text, mac) => {
    const key = Buffer.from(hex, "hex");
    expect([createNativeMac()?.(key, text), createPortableMac(key, text)]).toEqual([mac, mac]);
  });

  it("is equal in Node and browsers for any key and text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 130 }), fc.string({ unit: "grapheme", maxLength: 2_000 }), (key, text) => {
        expect(createNativeMac()?.(key, text)).toBe(createPortableMac(key, text));
      }),
    );
  });
});
