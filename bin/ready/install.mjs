/** Installs the lockfile's packages. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { writeOut } from "../terminal.mjs";

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>} Packages */

/**
 * @param {string} file
 * @returns {Packages | null}
 */
const packagesOf = (file) => {
  try {
    const lock = /** @type {{ packages?: Packages }} */ (JSON.parse(fs.readFileSync(file, "utf8")));

    return lock.packages ?? null;
  } catch {
    return null;
  }
};

/**
 * Optional ones are for other platforms.
 * @param {string} root
 */
export const isInstalled = (root) => {
  const wanted = packagesOf(path.join(root, "package-lock.json"));
  const found = packagesOf(path.join(root, "node_modules", ".package-lock.json"));

  if (wanted === null || found === null) return false;

  return Object.entries(wanted).every(([name, { version, optional }]) => {
    if (name === "") return true;
    const installed = found[name];

    return installed === undefined ? optional === true : installed.version === version;
  });
};

/** npm ends with its usage. */
const wordsShown = 1_500;

/**
 * `npm ci` refuses a lockfile where the registry lacks a package of another platform. Resolves to null, or to npm's
 * words.
 * @param {string} root
 * @returns {Promise<string | null>}
 */
export const install = (root) => {
  const startedAt = Date.now();

  writeOut("  Installing packages (once, about a minute) …\n");

  return new Promise((resolve) => {
    // Windows needs a shell; the arguments are constants.
    const npm = spawn("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: root,
      shell: process.platform === "win32",
    });
    let words = "";

    npm.stdout.on("data", (chunk) => (words += chunk));
    npm.stderr.on("data", (chunk) => (words += chunk));
    npm.once("error", () => resolve("npm was not found: install Node with npm and try again."));
    npm.once("close", (code) => {
      if (code !== 0) return resolve(`Installing the packages failed: ${words.trim().slice(0, wordsShown)}`);
      writeOut(`  ✓ Packages installed (${Math.round((Date.now() - startedAt) / 1000)} s)\n`);

      return resolve(null);
    });
  });
};
