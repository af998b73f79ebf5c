import { expect, test } from "vitest";
import { computeCommitment } from "@/lib/hash";
import { computeArgumentsDigest } from "@/lib/engine/ledger/transition";
import { createArgumentsCheck, opensCommitment } from "./reveal-check";

const salt = "5a".repeat(32);
const value = { plan: "pro", cents: 2_500 };
const commitment = computeCommitment(salt, value);

test("a value matches its commitment in any member order", () => {
  expect(opensCommitment({ salt, value }, commitment)).toBe(true);
  expect(opensCommitment({ salt, value: { cents: 2_500, plan: "pro" } }, commitment)).toBe(true);
});

test.each([
  ["another value", { salt, value: { ...value, cents: 2_501 } }],
  ["a number in place of a text", { salt, value: { ...value, cents: "2500" } }],
  ["another salt", { salt: "5b".repeat(32), value }],
  ["no salt", { salt: "", value }],
  ["a salt that is not hex", { salt: "zz".repeat(32), value }],
])("%s does not", (_, opened) => {
  expect(opensCommitment(opened, commitment)).toBe(false);
});

test("compares the arguments of a proposal with the signed digest", () => {
  const { holds } = createArgumentsCheck(computeArgumentsDigest(value));

  expect(holds({ salt, value: { server: "crm", arguments: value } })).toBe(true);
  expect(holds({ salt, value: { server: "crm", arguments: { ...value, cents: 1 } } })).toBe(false);
  expect(holds({ salt, value })).toBe(false);
  expect(holds({ salt, value: "arguments" })).toBe(false);
});
