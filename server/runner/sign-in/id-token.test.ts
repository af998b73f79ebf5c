import { generateKeyPair } from "jose";
import { expect, test } from "vitest";
import { startProvider } from "@/server/auth/testing/provider";
import { systemClock } from "@/server/clock";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { createIdTokenVerifier } from "./id-token";

const provider = await startProvider();
const newVerifier = () =>
  createIdTokenVerifier({ clock: systemClock, journal: createMemoryJournal(systemClock) }, provider.settings(["example.com"]));
const CLAIMS = { sub: "ines", email: "ines@example.com" };

test("the provider's token for this installation is valid once, however its signature is encoded", async () => {
  const verify = newVerifier();
  const token = await provider.tokenOf(CLAIMS);
  expect(await verify(token)).toMatchObject({ claims: { iss: provider.issuer, ...CLAIMS }, rules: { allowedDomains: ["example.com"] } });
  // A 256-byte signature's last character has four meaningless bits.
  const same = Buffer.from(token.split(".")[2] ?? "", "base64url");
  const spellings = ["A", "B", "C", "D", "g", "h", "w", "x", "Q", "R"].map((last) => token.slice(0, -1) + last);
  const equal = spellings.filter((spelling) => Buffer.from(spelling.split(".")[2] ?? "", "base64url").equals(same));
  for (const spelling of [token, ...equal]) expect(await verify(spelling)).toBeNull();
});

test.each([
  ["for another client", {}, { audience: "another" }],
  ["for several clients, and issued to another", { azp: "another" }, { audience: ["countersign", "another"] }],
  ["for several clients, and issued to none", {}, { audience: ["countersign", "another"] }],
  ["that is eleven minutes old", {}, { issuedAtMs: Date.now() - 11 * 60_000 }],
  ["from the future", {}, { issuedAtMs: Date.now() + 5 * 60_000 }],
  ["without a nonce", { nonce: undefined }, {}],
  ["of another issuer", { iss: "https://id.example.com" }, {}],
  ["without a subject", { sub: undefined }, {}],
])("rejects a token %s", async (_what, claims, change) => {
  expect(await newVerifier()(await provider.tokenOf({ ...CLAIMS, ...claims }, change))).toBeNull();
});

test("rejects a second token of the same request", async () => {
  const verify = newVerifier();
  expect(await verify(await provider.tokenOf({ ...CLAIMS, nonce: "asked once" }))).not.toBeNull();
  expect(await verify(await provider.tokenOf({ ...CLAIMS, nonce: "asked once", name: "Ines" }))).toBeNull();
});

test("rejects an invented token", async () => {
  const { privateKey: key } = await generateKeyPair("RS256");
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const payload = part({ iss: provider.issuer, aud: "countersign", iat: Math.floor(Date.now() / 1_000), exp: 2e9, ...CLAIMS });
  for (const token of [await provider.tokenOf(CLAIMS, { key }), `${part({ alg: "none" })}.${payload}.`, "", "a.b.c"]) {
    expect(await newVerifier()(token)).toBeNull();
  }
});
