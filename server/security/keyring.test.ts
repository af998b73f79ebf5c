import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { digestOf } from "@/lib/hash";
import { verifyDigest } from "@/lib/engine/ledger/signature";
import { loadSigner, loadSignerFromPem } from "@/server/security/keyring";

const home = mkdtempSync(path.join(tmpdir(), "countersign-keyring-"));
const file = path.join(home, "keys", "signing.key");
mkdirSync(path.dirname(file));
afterAll(() => rmSync(home, { recursive: true }));

const pem = () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const keep = (text: string, mode: number) => {
  writeFileSync(file, text);
  chmodSync(file, mode);
};

describe("the signing key", () => {
  it("is read when private to its owner", () => {
    keep(pem(), 0o600);
    expect(loadSigner(home).kid).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each([0o640, 0o604, 0o660, 0o644, 0o620])("is refused with mode %o", (mode) => {
    keep(pem(), mode);
    expect(() => loadSigner(home)).toThrow("0600");
  });

  it("is refused when it is missing", () => {
    rmSync(file, { force: true });
    expect(() => loadSigner(home)).toThrow("ENOENT");
  });

  it.each([
    ["RSA", () => generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey],
    ["P-256", () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey],
    ["X25519", () => generateKeyPairSync("x25519").privateKey],
    ["Ed448", () => generateKeyPairSync("ed448").privateKey],
  ])("is refused when it is an %s key", (_kind, make) => {
    expect(() => loadSignerFromPem(make().export({ type: "pkcs8", format: "pem" }).toString())).toThrow("Ed25519");
  });

  it("is refused when it is a public key, or no key at all", () => {
    const { publicKey } = generateKeyPairSync("ed25519");
    expect(() => loadSignerFromPem(publicKey.export({ type: "spki", format: "pem" }).toString())).toThrow();
    expect(() => loadSignerFromPem("not a key")).toThrow();
  });

  it("has its id derived from it, and its signatures verify only under its public key", async () => {
    const [signer, other] = [loadSignerFromPem(pem()), loadSignerFromPem(pem())];
    const digest = digestOf("record", { a: 1 });
    const signature = signer.signDigest(digest);
    expect(signer.kid).not.toBe(other.kid);
    expect(await verifyDigest(signer.publicKey, signature, digest)).toBe(true);
    expect(await verifyDigest(other.publicKey, signature, digest)).toBe(false);
    expect(await verifyDigest(signer.publicKey, signature, digestOf("record", { a: 2 }))).toBe(false);
    for (const bad of ["", "A", "AA", "!".repeat(86), `${signature}=`, `${signature.slice(0, -1)}${signature.endsWith("B") ? "C" : "B"}`]) {
      expect(await verifyDigest(signer.publicKey, bad, digest)).toBe(false);
    }
  });
});
