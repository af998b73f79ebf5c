/** Where the product under test keeps its state, and what tests need out of it. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** Chosen once by the first process that asks; Playwright's workers inherit it through the environment. */
export const e2eHome = (): string => {
  const given = process.env["COUNTERSIGN_E2E_HOME"];

  if (given !== undefined && given !== "") return given;
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-e2e-"));

  // As root the database runs as another user, who must get through.
  fs.chmodSync(made, 0o711);
  process.env["COUNTERSIGN_E2E_HOME"] = made;

  return made;
};

/** The one-time link that this start printed. @throws when there is an admin already */
export const setupLink = (): string => fs.readFileSync(path.join(e2eHome(), "setup-link"), "utf8").trim();

/** Where a test may be notified: an address of this machine that the product under test is allowed to reach. */
export const receiverPort = (): number => Number(process.env["COUNTERSIGN_E2E_PORT"] ?? 3961) + 1;
