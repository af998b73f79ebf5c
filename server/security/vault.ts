/** Cells at rest: own keys, wrapped by workspace keys. */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { toCanonicalJson, type Json } from "@/lib/json";
import { generateBytes } from "@/server/security/fresh-bytes";
import { parseRing, watchRing, getVaultKeyFile, type VaultRing } from "@/server/security/vault-ring";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const VERSION_BYTES = 2;
/** Unversioned keys are version 1. */
const UNVERSIONED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;

/** Authenticated: rows cannot be swapped or labels lowered. */
export type CellPlace = {
  readonly workspace: string;
  readonly run: string;
  readonly seq: number;
  readonly index: number;
  readonly path: string;
  /** Canonical JSON. */
  readonly label: string;
};

export type SealedCell = { readonly sealed: Uint8Array<ArrayBuffer>; readonly wrappedKey: Uint8Array<ArrayBuffer> };
export type OpenedCell = { readonly salt: string; readonly value: Json };

const contentSchema = z.strictObject({ salt: z.string().regex(/^[0-9a-f]{64}$/), value: z.json() });

const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }

  return whole;
};

/** @param key raw bytes triple the time */
const seal = (key: KeyObject, plain: Uint8Array, place: string): Uint8Array<ArrayBuffer> => {
  const nonce = generateBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));

  return joined(nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag());
};

/** @throws when altered or from another place */
const open = (key: KeyObject, sealed: Uint8Array, place: string): Buffer => {
  // Otherwise 4-byte tags are accepted.
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));

  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final()]);
};

const placed = (purpose: string, place: string) => `countersign/${purpose}/v1\0${place}`;

const commandPlace = (workspace: string, id: string) => placed("command", toCanonicalJson({ workspace, id }));

const cellPlace = ({ workspace, run, seq, index, path: at, label }: CellPlace): string =>
  toCanonicalJson({ index, label, path: at, run, seq, workspace });

const unwrappedParts = (wrappedKey: Uint8Array): { readonly version: number; readonly key: Uint8Array } =>
  wrappedKey.length === UNVERSIONED_BYTES
    ? { version: 1, key: wrappedKey }
    : { version: ((wrappedKey[0] ?? 0) << 8) | (wrappedKey[1] ?? 0), key: wrappedKey.subarray(VERSION_BYTES) };

export type FilePlace = { readonly workspace: string; readonly id: string; readonly source: string };

const filePlace = ({ workspace, id, source }: FilePlace): string => toCanonicalJson({ file: id, source, workspace });

type FilePart = { readonly index: number; readonly isLast: boolean };

const partPlace = (workspace: string, id: string, { index, isLast }: FilePart): string =>
  placed("file", toCanonicalJson({ file: id, index, last: isLast, workspace }));

type FileSealer = {
  readonly wrapKey: (source: string) => Uint8Array<ArrayBuffer>;
  readonly seal: (part: FilePart, bytes: Uint8Array) => Uint8Array<ArrayBuffer>;
};

/** @throws when altered */
export type OpenPart = (part: FilePart, sealed: Uint8Array) => Buffer;

/** `unreadable`: altered or moved. */
export type NotOpened = "unreadable" | "shredded";

export type Vault = {
  sealCell(place: CellPlace, content: OpenedCell): SealedCell;
  /** The verifier judges shredding. */
  openCell(place: CellPlace, cell: SealedCell): OpenedCell | NotOpened;
  /** The version that seals. */
  newestVersion(): number;
  /** Leaves the content; null when unopenable. */
  rewrapKey(place: CellPlace, wrappedKey: Uint8Array): Uint8Array<ArrayBuffer> | null;
  sealFile(workspace: string, id: string): FileSealer;
  /** @throws */
  openFile(place: FilePlace, wrappedKey: Uint8Array): OpenPart;
  /** Null when current or unopenable. */
  rewrapFile(place: FilePlace, wrappedKey: Uint8Array): Uint8Array<ArrayBuffer> | null;
  sealCommand(workspace: string, id: string, body: Json): Uint8Array<ArrayBuffer>;
  /** @throws when tampered with */
  openCommand(workspace: string, id: string, sealed: Uint8Array): unknown;
  /** Null when current or unopenable. */
  resealCommand(workspace: string, id: string, sealed: Uint8Array): Uint8Array<ArrayBuffer> | null;
  /** Null when unopenable. */
  commandVersion(workspace: string, id: string, sealed: Uint8Array): number | null;
};

/** @throws for an unknown version */
const keyOf = (ring: VaultRing, version: number, workspace: string): KeyObject => {
  const key = ring.workspaceKey(version, workspace);
  if (key === null) throw new RangeError(`the vault has no key of version ${version}`);

  return key;
};

/** @param at the cell's place */
const wrap = (ring: VaultRing, workspace: string, at: string, key: Uint8Array): Uint8Array<ArrayBuffer> => {
  const wrapped = seal(keyOf(ring, ring.newest, workspace), key, placed("cell-key", at));

  return joined(Uint8Array.of(ring.newest >> 8, ring.newest & 0xff), wrapped);
};

/** @throws for a missing key or altered bytes */
const unwrap = (ring: VaultRing, workspace: string, at: string, wrappedKey: Uint8Array): Buffer => {
  const { version, key } = unwrappedParts(wrappedKey);

  return open(keyOf(ring, version, workspace), key, placed("cell-key", at));
};

const vaultOver = (ring: () => VaultRing): Vault => {
  /** Commands name no version. @throws */
  const openedCommand = (workspace: string, id: string, sealed: Uint8Array): { version: number; text: Buffer } => {
    const now = ring();
    for (const version of now.versions) {
      try {
        return { version, text: open(keyOf(now, version, workspace), sealed, commandPlace(workspace, id)) };
      } catch {
        // Tries the next version.
      }
    }
    throw new Error("no key of the vault opens this command");
  };

  const sealText = (workspace: string, id: string, text: Buffer): Uint8Array<ArrayBuffer> => {
    const now = ring();

    return seal(keyOf(now, now.newest, workspace), text, commandPlace(workspace, id));
  };

  return {
    sealCell: (place, content) => {
      const key = generateBytes(KEY_BYTES);
      const at = cellPlace(place);

      return {
        sealed: seal(createSecretKey(key), Buffer.from(toCanonicalJson(content)), placed("cell", at)),
        wrappedKey: wrap(ring(), place.workspace, at, key),
      };
    },
    openCell: (place, cell) => {
      if (cell.sealed.length === 0 && cell.wrappedKey.length === 0) return "shredded";
      try {
        const at = cellPlace(place);
        const key = createSecretKey(unwrap(ring(), place.workspace, at, cell.wrappedKey));
        const text = open(key, cell.sealed, placed("cell", at)).toString("utf8");

        return contentSchema.parse(JSON.parse(text));
      } catch {
        return "unreadable";
      }
    },
    newestVersion: () => ring().newest,
    rewrapKey: (place, wrappedKey) => {
      try {
        const at = cellPlace(place);

        return wrap(ring(), place.workspace, at, unwrap(ring(), place.workspace, at, wrappedKey));
      } catch {
        return null;
      }
    },
    sealFile: (workspace, id) => {
      const bytes = generateBytes(KEY_BYTES);
      const key = createSecretKey(bytes);

      return {
        wrapKey: (source) => wrap(ring(), workspace, filePlace({ workspace, id, source }), bytes),
        seal: (part, plain) => seal(key, plain, partPlace(workspace, id, part)),
      };
    },
    openFile: (place, wrappedKey) => {
      const { workspace, id } = place;
      const key = createSecretKey(unwrap(ring(), workspace, filePlace(place), wrappedKey));

      return (part, sealed) => open(key, sealed, partPlace(workspace, id, part));
    },
    rewrapFile: (place, wrappedKey) => {
      const at = filePlace(place);
      try {
        return unwrappedParts(wrappedKey).version === ring().newest
          ? null
          : wrap(ring(), place.workspace, at, unwrap(ring(), place.workspace, at, wrappedKey));
      } catch {
        return null;
      }
    },
    sealCommand: (workspace, id, body) => sealText(workspace, id, Buffer.from(toCanonicalJson(body))),
    openCommand: (workspace, id, sealed): unknown => JSON.parse(openedCommand(workspace, id, sealed).text.toString("utf8")),
    resealCommand: (workspace, id, sealed) => {
      try {
        const { version, text } = openedCommand(workspace, id, sealed);

        return version === ring().newest ? null : sealText(workspace, id, text);
      } catch {
        return null;
      }
    },
    commandVersion: (workspace, id, sealed) => {
      try {
        return openedCommand(workspace, id, sealed).version;
      } catch {
        return null;
      }
    },
  };
};

/** @param keys a hex key of 32 bytes, or versioned lines @throws RangeError */
export const createVault = (keys: string): Vault => {
  const ring = parseRing(keys);

  return vaultOver(() => ring);
};

/** @throws when missing or readable by others */
export const loadVault = (home: string): Vault => vaultOver(watchRing(getVaultKeyFile(home)));
