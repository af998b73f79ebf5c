/** State folder and secrets. */
import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { settleFile } from "../../server/security/settled-file.ts";
import { StartFailure, wordsOf } from "./failure.ts";

const serverFolders = ["customers", "expenses", "library", "rug-pull", "shop"];

/** A restricted runner cannot add any. */
const folders: readonly string[] = ["keys", "inbox", "build", "log", "programs", "scratch", "journal", ...serverFolders];

const secrets: Readonly<Record<string, () => string>> = {
  /** Signs ledgers and receipts; only runners read it. */
  "signing.key": () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  /** Signs web push messages. */
  "push.key": () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  /** Wraps the keys of cells. */
  "vault.key": () => randomBytes(32).toString("hex"),
  /** Signs session cookies. */
  "session.key": () => randomBytes(32).toString("hex"),
  /** Administrator of the embedded Postgres. */
  "postgres.key": () => randomBytes(24).toString("hex"),
};

/** A kill never leaves half a key. */
const writeWhole = (given: string, text: string, mode: number): void => {
  const file = fs.existsSync(given) ? fs.realpathSync(given) : given;
  const draft = `${file}.${randomBytes(4).toString("hex")}`;

  fs.writeFileSync(draft, text, { mode, flush: true });
  fs.renameSync(draft, file);
};

export const writeSecret = (file: string, text: string): void => writeWhole(file, text, 0o600);

/** Public keys, for machines that cannot sign. */
export const ANCHOR = "trust-anchor.json";

const firstAnchor = (pem: string): string => {
  const { x = "" } = createPublicKey(pem).export({ format: "jwk" });
  const kid = createHash("sha256").update(x).digest("hex").slice(0, 16);

  return `${JSON.stringify({ v: 1, keys: [{ kid, public_key: x, since: Date.now() }], handovers: [] }, null, 2)}\n`;
};

const ensureAnchor = (home: string): void => {
  const file = path.join(home, "keys", ANCHOR);

  if (fs.existsSync(file)) return;
  writeWhole(file, firstAnchor(fs.readFileSync(path.join(home, "keys", "signing.key"), "utf8")), 0o644);
};

export const copyAnchor = (home: string, to: string): void =>
  writeWhole(path.join(to, "keys", ANCHOR), fs.readFileSync(path.join(home, "keys", ANCHOR), "utf8"), 0o644);

const settleKeys = (home: string): void => {
  for (const name of [ANCHOR, "vault.key"] as const) settleFile(path.join(home, "keys"), name);
};

export const ensureFolders = (home: string): void => {
  // Postgres' user may pass through but neither list nor read.
  fs.mkdirSync(home, { recursive: true });
  fs.chmodSync(home, 0o711);
  for (const folder of folders) fs.mkdirSync(path.join(home, folder), { recursive: true, mode: 0o700 });
  settleKeys(home);
};

const unusable = (home: string, error: unknown): StartFailure =>
  new StartFailure(`Cannot use the state folder ${home}: ${wordsOf(error)}.`, error);

/** @returns names of new secrets */
export const ensureHome = (home: string): readonly string[] => {
  try {
    ensureFolders(home);
    const made = Object.entries(secrets).flatMap(([name, make]) => {
      const file = path.join(home, "keys", name);

      if (fs.existsSync(file)) {
        fs.chmodSync(file, 0o600);

        return [];
      }
      writeSecret(file, make());

      return [name];
    });

    ensureAnchor(home);
    settleKeys(home);

    return made;
  } catch (error) {
    throw unusable(home, error);
  }
};

export const readSecret = (home: string, name: "session.key" | "postgres.key"): string =>
  fs.readFileSync(path.join(home, "keys", name), "utf8").trim();
