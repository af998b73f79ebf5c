import { expect, test } from "vitest";
import { digestOf } from "@/lib/hash";
import { isSignedByKey, generateSessionSeed, getPublicKey, signWithSeed } from "./session-key";

const digest = digestOf("command", { run: 1 });

test("verifies exactly what the session signed", () => {
  const [seed, other] = [generateSessionSeed(), generateSessionSeed()];
  const signature = signWithSeed(seed, digest);

  expect(isSignedByKey(getPublicKey(seed), digest, signature)).toBe(true);
  expect(isSignedByKey(getPublicKey(other), digest, signature)).toBe(false);
  expect(isSignedByKey(getPublicKey(seed), digestOf("proof", { run: 1 }), signature)).toBe(false);
  expect(isSignedByKey(getPublicKey(seed), digest, signature.slice(1))).toBe(false);
});

test("derives the public key of RFC 8032, test 1", () => {
  const seed = Buffer.from("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "hex").toString("base64url");

  expect(Buffer.from(getPublicKey(seed), "base64url").toString("hex")).toBe(
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  );
});

test.each(["", "a", "=".repeat(43), "a".repeat(44)])("rejects an invalid public key: %j", (key) => {
  expect(isSignedByKey(key, digest, signWithSeed(generateSessionSeed(), digest))).toBe(false);
});
