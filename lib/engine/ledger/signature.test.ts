import { expect, it } from "vitest";
import { decodeBase64Url, verifyDigest, verifyReceipt } from "@/lib/engine/ledger/signature";
import { getKeys, newKey } from "@/lib/engine/testing/ledger";

const DIGEST = "ab".repeat(32);

it("reads one text per value: no padding, spare bits or other characters", () => {
  expect(decodeBase64Url("_-8")).toEqual(Uint8Array.from([255, 239]));
  for (const text of ["_-9", "_-8=", "/+8", "_", "_-8\n"]) expect([text, decodeBase64Url(text)]).toEqual([text, null]);
});

it("fails for a key or signature of another length, or an unknown key id", async () => {
  const key = await newKey("k1");
  const signature = await key.sign(new Uint8Array(32).fill(0xab));
  expect(await verifyDigest(key.public, signature, DIGEST)).toBe(true);
  for (const [by, text] of [
    [key.public, `${signature.slice(0, -1)}${signature.endsWith("A") ? "B" : "A"}`],
    [key.public, "AA"],
    ["AA", signature],
  ] as const)
    expect(await verifyDigest(by, text, DIGEST)).toBe(false);
  // Cast: only the key id is read.
  const receipt = { kid: "constructor", payload: {}, signature } as unknown as Parameters<typeof verifyReceipt>[1];
  expect(await verifyReceipt(getKeys(key), receipt)).toBe(false);
});
