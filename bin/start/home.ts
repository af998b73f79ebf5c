/** The state folder and the secrets in it, made on the first start and only read afterwards. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { StartFailure, wordsOf } from "./failure.ts";

const folders = ["keys", "inbox", "build", "log"] as const;

const secrets: Readonly<Record<string, () => string>> = {
  /** Signs ledgers and receipts; only the runner reads it. */
  "signing.key": () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  /** Wraps the keys of cells. */
  "vault.key": () => randomBytes(32).toString("hex"),
  /** Signs session cookies. */
  "session.key": () => randomBytes(32).toString("hex"),
  /** The password of the embedded Postgres' administrator. */
  "postgres.key": () => randomBytes(24).toString("hex"),
};

/** Writes all of it or nothing, so that a kill in between never leaves half a key. */
export const writeSecret = (file: string, text: string): void => {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;

  fs.writeFileSync(draft, text, { mode: 0o600, flush: true });
  fs.renameSync(draft, file);
};

/** @throws the system's error */
export const ensureFolders = (home: string): void => {
  // Others may pass through, because Postgres can run as another user; they cannot list it or read the secrets.
  fs.mkdirSync(home, { recursive: true });
  fs.chmodSync(home, 0o711);
  for (const folder of folders) fs.mkdirSync(path.join(home, folder), { recursive: true, mode: 0o700 });
};

const unusable = (home: string, error: unknown): StartFailure =>
  new StartFailure(`The state folder ${home} cannot be used: ${wordsOf(error)}.`, error);

/** @returns the names of the secrets that were made now */
export const ensureHome = (home: string): readonly string[] => {
  try {
    ensureFolders(home);

    return Object.entries(secrets).flatMap(([name, make]) => {
      const file = path.join(home, "keys", name);

      if (fs.existsSync(file)) {
        fs.chmodSync(file, 0o600);

        return [];
      }
      writeSecret(file, make());

      return [name];
    });
  } catch (error) {
    throw unusable(home, error);
  }
};

export const readSecret = (home: string, name: "session.key" | "postgres.key"): string =>
  fs.readFileSync(path.join(home, "keys", name), "utf8").trim();
