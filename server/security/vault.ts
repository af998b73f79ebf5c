/** Cells at rest: each sealed under its own key, which is wrapped by a workspace key that is not in the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import path from "node:path";
import { z } from "zod";
import { canonicalJson, type Json } from "@/lib/json";
import { readPrivateFile } from "@/server/security/private-file";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Where a cell stands: all of it is authenticated, so that rows cannot be swapped and labels cannot be lowered. */
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

const seal = (key: Uint8Array, plain: Uint8Array, place: string): Uint8Array<ArrayBuffer> => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));

  return Uint8Array.from(Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
};

/** @throws when a byte was changed, or when the bytes belong to another place */
const open = (key: Uint8Array, sealed: Uint8Array, place: string): Buffer => {
  // Without a fixed tag length the library would accept a 4-byte tag.
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));

  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final()]);
};

const placeText = (purpose: string, place: Json) => `countersign/${purpose}/v1\0${canonicalJson(place)}`;

/** Field by field, so that whatever else a caller's object carries does not become part of the place. */
const cellPlace = ({ workspace, run, seq, index, path: at, label }: CellPlace) => ({ workspace, run, seq, index, path: at, label });

export type Vault = {
  sealCell(place: CellPlace, content: OpenedCell): SealedCell;
  /** The salt and value, or `unreadable` for a row that was tampered with or moved. */
  openCell(place: CellPlace, cell: SealedCell): OpenedCell | "unreadable";
  sealCommand(workspace: string, id: string, body: Json): Uint8Array<ArrayBuffer>;
  /** @throws when the row was tampered with */
  openCommand(workspace: string, id: string, sealed: Uint8Array): unknown;
};

/** @param masterKeyHex 32 bytes as hex */
export const vaultFrom = (masterKeyHex: string): Vault => {
  const master = Buffer.from(masterKeyHex.trim(), "hex");
  if (master.length !== KEY_BYTES) throw new RangeError("the vault key is not 32 bytes of hex");
  const cache = new Map<string, Buffer>();
  const workspaceKey = (workspace: string): Buffer => {
    const cached = cache.get(workspace);
    if (cached) return cached;
    const key = Buffer.from(hkdfSync("sha256", master, workspace, "countersign/workspace-key/v1", KEY_BYTES));
    cache.set(workspace, key);

    return key;
  };

  return {
    sealCell: (place, content) => {
      const key = randomBytes(KEY_BYTES);

      return {
        sealed: seal(key, Buffer.from(canonicalJson(content)), placeText("cell", cellPlace(place))),
        wrappedKey: seal(workspaceKey(place.workspace), key, placeText("cell-key", cellPlace(place))),
      };
    },
    openCell: (place, cell) => {
      try {
        const key = open(workspaceKey(place.workspace), cell.wrappedKey, placeText("cell-key", cellPlace(place)));
        const text = open(key, cell.sealed, placeText("cell", cellPlace(place))).toString("utf8");

        return contentSchema.parse(JSON.parse(text));
      } catch {
        return "unreadable";
      }
    },
    sealCommand: (workspace, id, body) =>
      seal(workspaceKey(workspace), Buffer.from(canonicalJson(body)), placeText("command", { workspace, id })),
    openCommand: (workspace, id, sealed): unknown =>
      JSON.parse(open(workspaceKey(workspace), sealed, placeText("command", { workspace, id })).toString("utf8")),
  };
};

/** @throws when the file is missing or readable by others */
export const loadVault = (home: string): Vault => vaultFrom(readPrivateFile(path.join(home, "keys", "vault.key")));
