/** The installation of the product that this spec has to itself, and what a spec needs out of it. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export type Place = {
  readonly origin: string;
  /** Its state folder. */
  readonly home: string;
  /** Port on this machine that the product may send webhooks to. */
  readonly receiverPort: number;
};

let own: Place | null = null;

/** Says which installation the helpers of this process work on. A worker of Playwright has one at a time. */
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

/** One-time set-up link that this start printed. @throws when the installation has an admin already */
export const setupLink = (): string => fs.readFileSync(path.join(e2eHome(), "setup-link"), "utf8").trim();

/** Port on this machine that the product under test may send webhooks to. */
export const receiverPort = (): number => place().receiverPort;
