/** The installation that this spec owns. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export type Place = {
  readonly origin: string;
  /** State folder. */
  readonly home: string;
  /** Local port that the product may send webhooks to. */
  readonly receiverPort: number;
};

let own: Place | null = null;

/** Sets the installation for the helpers of this process. A Playwright worker has one at a time. */
export const setPlace = (place: Place | null): void => {
  own = place;
};

const place = (): Place => {
  if (own === null) throw new Error("This spec has no installation: it has to take `test` from test.ts.");

  return own;
};

/** Folder of all installations of a test run. The first process chooses it; Playwright's workers inherit the environment. */
export const installationsFolder = (): string => {
  const given = process.env["COUNTERSIGN_E2E_HOME"];

  if (given !== undefined && given !== "") return given;
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-e2e-"));

  process.env["COUNTERSIGN_E2E_HOME"] = made;

  return made;
};

/** State folder of the product under test. */
export const e2eHome = (): string => place().home;

/** Address of the product under test. */
export const e2eOrigin = (): string => place().origin;

/** One-time set-up link that this start printed. @throws when the installation already has an admin */
export const setupLink = (): string => fs.readFileSync(path.join(e2eHome(), "setup-link"), "utf8").trim();

/** Local port that the product may send webhooks to. */
export const receiverPort = (): number => place().receiverPort;
