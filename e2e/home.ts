import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export type Place = {
  readonly origin: string;
  readonly home: string;
  /** Webhooks may go there. */
  readonly receiverPort: number;
};

let own: Place | null = null;

/** A Playwright worker has one at a time. */
export const setPlace = (place: Place | null): void => {
  own = place;
};

const place = (): Place => {
  if (own === null) throw new Error("This spec has no installation: it has to take `test` from test.ts.");

  return own;
};

/** Playwright's workers inherit the environment. */
export const installationsFolder = (): string => {
  const given = process.env["COUNTERSIGN_E2E_HOME"];

  if (given !== undefined && given !== "") return given;
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-e2e-"));

  process.env["COUNTERSIGN_E2E_HOME"] = made;

  return made;
};

export const e2eHome = (): string => place().home;

export const e2eOrigin = (): string => place().origin;

/** @throws when an admin exists */
export const setupLink = (): string => fs.readFileSync(path.join(e2eHome(), "setup-link"), "utf8").trim();

export const receiverPort = (): number => place().receiverPort;
