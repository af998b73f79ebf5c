import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { chromium } from "@playwright/test";
import { writeOut } from "../terminal.mjs";

/** Needs a quarter less CPU time than windowed Chromium. */
const HEADLESS = "chromium-headless-shell";
const names = [HEADLESS, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const onPath = (): string | null => {
  for (const name of names) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // Not this one.
    }
  }

  return null;
};

const ofPlaywright = (): string | null => {
  const file = chromium.executablePath();

  return fs.existsSync(file) ? file : null;
};

const installDebian = (): void => {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !fs.existsSync("/usr/bin/apt-get")) return;
  writeOut(`  Installing Debian's ${HEADLESS} (once) …\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };

  spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore", env });
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", HEADLESS], { stdio: "ignore", env });
};

/** Finds the system's Chromium, else Playwright's, else installs Debian's. @throws when none is available */
export const findChromium = (): string => {
  const given = process.env["COUNTERSIGN_CHROMIUM"];
  const found = given !== undefined && given !== "" ? given : (onPath() ?? ofPlaywright());

  if (found !== null) return found;
  installDebian();
  const installed = onPath();

  if (installed === null) {
    throw new Error("The browser tests need Chromium: install it with your system's package manager or `npx playwright install chromium`.");
  }

  return installed;
};
