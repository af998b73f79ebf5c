/** Fleet: web cannot sign, runners make no sessions, neither changes the schema. */
import fs from "node:fs";
import path from "node:path";
import { readHeldUrls, writeHeldUrls, type DatabaseUrls, type HeldUrls } from "./database-file.ts";
import { StartFailure, wordsOf } from "./failure.ts";
import { ANCHOR, copyAnchor, ensureFolders, writeSecret } from "./home.ts";

export type Part = "web" | "runner";

type Holding = {
  readonly urls: readonly (keyof DatabaseUrls)[];
  readonly keys: readonly string[];
  readonly optionalKeys: readonly string[];
};

const holdings = {
  web: { urls: ["web"], keys: ["vault.key", "session.key"], optionalKeys: [] },
  runner: { urls: ["runner", "customers"], keys: ["vault.key", "signing.key"], optionalKeys: ["push.key"] },
} as const satisfies Record<Part, Holding>;

/** Writes a process's state folder. @param home of the set-up @throws StartFailure */
export const handOut = (home: string, urls: DatabaseUrls, part: Part, to: string): void => {
  try {
    ensureFolders(to);
    for (const name of [...holdings[part].keys, ...holdings[part].optionalKeys]) {
      writeSecret(path.join(to, "keys", name), fs.readFileSync(path.join(home, "keys", name), "utf8"));
    }
    copyAnchor(home, to);
    writeHeldUrls(to, Object.fromEntries(holdings[part].urls.map((name) => [name, urls[name]])));
  } catch (error) {
    throw new StartFailure(`Cannot write the state folder ${to} of the ${part} process: ${wordsOf(error)}.`, error);
  }
};

export const getKeys = (part: Part): readonly string[] => holdings[part].keys;

/** Reads a process's state folder. @param isNamed database named elsewhere @throws StartFailure for missing parts */
export const heldBy = (home: string, part: Part, isNamed = false): HeldUrls => {
  const urls = readHeldUrls(home) ?? (isNamed ? {} : null);
  const missing = [
    ...[...holdings[part].keys, ...(part === "web" ? [ANCHOR] : [])]
      .map((name) => path.join("keys", name))
      .filter((file) => !fs.existsSync(path.join(home, file))),
    ...(isNamed || holdings[part].urls.every((name) => urls?.[name] !== undefined) ? [] : ["database.json"]),
  ];

  if (urls === null || missing.length > 0) {
    throw new StartFailure(
      `${home} is not the state folder of a ${part} process (missing: ${missing.join(", ")}). Create one with npm run set-up -- --${part} FOLDER.`,
    );
  }
  ensureFolders(home);

  return urls;
};
