import { createPrivateKey } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { loadAnchor } from "@/server/security/anchor-file";
import { loadSigner } from "@/server/security/keyring";
import { passwordsOf, writeUrls } from "./database-file.ts";
import { ensureHome } from "./home.ts";
import { digestOfSources, isFresh } from "./stale.ts";

const modeOf = (file: string): number => fs.statSync(file).mode & 0o777;

test("creates keys once, readable by their owner only, and never replaces them", () =>
  inTemporaryFolder((folder) => {
    const home = path.join(folder, "state");
    const made = ensureHome(home);
    const keys = made.map((name) => path.join(home, "keys", name));
    const contents = keys.map((file) => fs.readFileSync(file, "utf8"));

    expect(made).toEqual(["signing.key", "push.key", "vault.key", "session.key", "postgres.key"]);
    expect(keys.map(modeOf)).toEqual(keys.map(() => 0o600));
    expect(modeOf(path.join(home, "keys"))).toBe(0o700);
    expect(ensureHome(home)).toEqual([]);
    expect(keys.map((file) => fs.readFileSync(file, "utf8"))).toEqual(contents);
  }));

test("the signing key is Ed25519 and the vault key has 256 bits", () =>
  inTemporaryFolder((home) => {
    ensureHome(home);
    const read = (name: string): string => fs.readFileSync(path.join(home, "keys", name), "utf8");

    expect(createPrivateKey(read("signing.key")).asymmetricKeyType).toBe("ed25519");
    expect(createPrivateKey(read("push.key")).asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect(read("vault.key")).toMatch(/^[0-9a-f]{64}$/u);
  }));

test("the trust anchor names the signing key, is world-readable, and is created for a folder without one", () =>
  inTemporaryFolder(async (home) => {
    ensureHome(home);
    const file = path.join(home, "keys", "trust-anchor.json");
    const { kid, publicKey } = loadSigner(home);
    const anchor = await loadAnchor(home);

    expect(anchor).toMatchObject({ keys: [{ kid, public_key: publicKey }], handovers: [] });
    expect(modeOf(file)).toBe(0o644);
    ensureHome(home);
    expect(await loadAnchor(home)).toEqual(anchor);
    fs.rmSync(file);
    ensureHome(home);
    expect(await loadAnchor(home)).toMatchObject({ keys: [{ kid, public_key: publicKey }] });
  }));

test("roles keep their passwords across starts, in an owner-only file", () =>
  inTemporaryFolder((home) => {
    const first = passwordsOf(home);

    writeUrls(home, "postgresql://admin:a%2Fb@127.0.0.1:5432/db", first);
    expect(passwordsOf(home)).toEqual(first);
    expect(modeOf(path.join(home, "database.json"))).toBe(0o600);
    expect(new Set(Object.values(first)).size).toBe(3);
  }));

test("a build is stale after a source change, not after a test change", () =>
  inTemporaryFolder((root) => {
    const write = (name: string, text: string): void => {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      fs.writeFileSync(path.join(root, name), text);
    };
    const stamp = path.join(root, "stamp");

    write("lib/a.ts", "1");
    fs.writeFileSync(stamp, digestOfSources(root));
    write("lib/a.test.ts", "1");
    expect(isFresh(stamp, digestOfSources(root))).toBe(true);
    write("lib/a.ts", "2");
    expect(isFresh(stamp, digestOfSources(root))).toBe(false);
    write("lib/a.ts", "1");
    write("package-lock.json", "{}");
    expect(isFresh(stamp, digestOfSources(root))).toBe(false);
    expect(isFresh(path.join(root, "missing"), digestOfSources(root))).toBe(false);
  }));
