import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nativeHash, portableHash } from "@/lib/sha256";

/** FIPS 180-4, appendix B of its second edition, and the empty text. */
const KNOWN = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"],
] as const;

describe("SHA-256 of a text", () => {
  it.each(KNOWN)("of %j is the standard's, in Node and in browsers", (text, digest) => {
    expect([nativeHash()?.(text), portableHash(text)]).toEqual([digest, digest]);
  });

  it("is the same in Node and in browsers, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 2_000 }), (text) => {
        expect(nativeHash()?.(text)).toBe(portableHash(text));
      }),
    );
  });
});
