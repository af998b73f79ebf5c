/** The newest vault key seals; all open. */
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import { readPrivateFile } from "@/server/security/private-file";

const KEY_BYTES = 32;
/** Stored in two bytes. */
const MAX_KEY_VERSION = 65_535;
const LINE = /^(?:(?<version>[1-9]\d{0,4}) )?(?<hex>[0-9a-f]{64})$/iu;

/** 32 bytes as hex. */
export type VaultKeys = ReadonlyMap<number, string>;

/** Parses `<version> <hex>` lines; unversioned is 1. @throws RangeError */
export const parseVaultKeys = (text: string): VaultKeys => {
  const keys = new Map<number, string>();
  for (const line of text.trim().split("\n")) {
    const found = LINE.exec(line.trim())?.groups;
    const version = Number(found?.["version"] ?? 1);
    if (found?.["hex"] === undefined || version > MAX_KEY_VERSION) throw new RangeError("a vault key is not 32 bytes of hex");
    if (keys.has(version)) throw new RangeError(`the vault has two keys of version ${version}`);
    keys.set(version, found["hex"].toLowerCase());
  }

  return keys;
};

export const formatVaultKeys = (keys: VaultKeys): string =>
  [...keys]
    .toSorted(([a], [b]) => a - b)
    .map(([version, hex]) => `${version} ${hex}\n`)
    .join("");

export const getNewestVersion = (keys: VaultKeys): number => Math.max(...keys.keys());

export type VaultRing = {
  readonly newest: number;
  /** Newest first. */
  readonly versions: readonly number[];
  /** Null for an unknown version. */
  workspaceKey(version: number, workspace: string): KeyObject | null;
};

/** @throws RangeError when malformed */
export const parseRing = (text: string): VaultRing => {
  const keys = parseVaultKeys(text);
  const derived = new Map<string, KeyObject>();

  return {
    newest: getNewestVersion(keys),
    versions: [...keys.keys()].toSorted((a, b) => b - a),
    workspaceKey: (version, workspace) => {
      const hex = keys.get(version);
      if (hex === undefined) return null;
      const name = `${version} ${workspace}`;
      const known = derived.get(name);
      if (known) return known;
      const bytes = hkdfSync("sha256", Buffer.from(hex, "hex"), workspace, "countersign/workspace-key/v1", KEY_BYTES);
      const key = createSecretKey(Buffer.from(bytes));
      derived.set(name, key);

      return key;
    },
  };
};

export const getVaultKeyFile = (home: string): string => path.join(home, "keys", "vault.key");

/** Follows rotations. @throws on first read when missing, malformed, or readable by others */
export const watchRing = (file: string): (() => VaultRing) => {
  let ring = parseRing(readPrivateFile(file));
  let read = statSync(file);

  return () => {
    const now = statSync(file, { throwIfNoEntry: false });
    if (!now || (now.ino === read.ino && now.mtimeMs === read.mtimeMs && now.size === read.size)) return ring;
    read = now;
    try {
      ring = parseRing(readPrivateFile(file));
    } catch {
      // The last good ring stays in use.
    }

    return ring;
  };
};
