import { expect, it } from "vitest";
import { verifyDigest, type SignedDigest } from "@/lib/engine/ledger/signature";
import { newKey } from "@/lib/engine/testing/ledger";
import { verifyDigestHere } from "./verify-digest";

const DIGEST = "4b".repeat(32);

const signed = async (): Promise<SignedDigest> => {
  const key = await newKey("k1");

  return { key: key.public, digest: DIGEST, signature: await key.sign(Buffer.from(DIGEST, "hex")) };
};

const bent = (text: string): string => (text.startsWith("A") ? "B" : "A") + text.slice(1);

/** Same bytes: the last letter has spare bits. */
const respelt = (text: string): string => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = letters.indexOf(text.at(-1) ?? "A");

  return text.slice(0, -1) + letters.charAt(last ^ 1);
};

it("a signature is valid for its digest under its key", async () => {
  expect(await verifyDigestHere(await signed())).toBe(true);
});

it.each<[string, (good: SignedDigest) => Partial<SignedDigest>]>([
  ["another digest", () => ({ digest: "4c".repeat(32) })],
  ["another signature", ({ signature }) => ({ signature: bent(signature) })],
  ["another key", ({ key }) => ({ key: bent(key) })],
  ["a key that is no point", () => ({ key: Buffer.alloc(32, 255).toString("base64url") })],
  ["a key of too few bytes", ({ key }) => ({ key: key.slice(0, 40) })],
  ["no key", () => ({ key: "" })],
  ["a signature of too few bytes", ({ signature }) => ({ signature: signature.slice(0, 80) })],
  ["a signature in another spelling", ({ signature }) => ({ signature: respelt(signature) })],
  ["a key in another spelling", ({ key }) => ({ key: respelt(key) })],
  ["a signature with a sign at its end", ({ signature }) => ({ signature: `${signature}=` })],
  ["a signature with a space in it", ({ signature }) => ({ signature: ` ${signature}` })],
])("with %s it is invalid, as in the engine", async (_what, change) => {
  const good = await signed();
  const changed = { ...good, ...change(good) };
  expect(await verifyDigestHere(changed)).toBe(false);
  expect(await verifyDigest(changed.key, changed.signature, changed.digest)).toBe(false);
});

it.each(["", "not a digest", DIGEST.slice(2), `${DIGEST}00`, `${DIGEST} `])("%j is not a digest and does not throw", async (digest) => {
  expect(await verifyDigestHere({ ...(await signed()), digest })).toBe(false);
});
