import fs from "node:fs";
import { defineConfig } from "@playwright/test";
import { findChromium } from "../bin/test/chromium.ts";
import { installationsFolder } from "./home.ts";

const chromiumArgs = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Chromium's sandbox refuses root.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

/** None should run alone at the end. */
const LONGEST = new Set(["a11y", "inbox", "kinds", "trust", "timeline", "registry-page", "ledger", "save"]);

const specs = fs
  .readdirSync(import.meta.dirname)
  .flatMap((name) => (name.endsWith(".spec.ts") ? [name.replace(".spec.ts", "")] : []))
  .toSorted((one, other) => Number(LONGEST.has(other)) - Number(LONGEST.has(one)));

// Workers inherit it.
installationsFolder();

export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: "../test-results",
  globalSetup: `${import.meta.dirname}/template.ts`,
  workers: 2,
  // Each worker has its own installation, so specs share no state.
  projects: specs.map((name) => ({ name, testMatch: `**/${name}.spec.ts` })),
  // Only a hang takes this long.
  timeout: 240_000,
  // A first run starts sandboxed processes.
  expect: { timeout: 30_000 },
  // Retried specs are listed at the end (bin/test/second-attempts.ts).
  retries: 1,
  forbidOnly: true,
  reporter: "list",
  use: {
    // Costs over a third of the time; use `--trace retain-on-failure`.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: { executablePath: findChromium(), args: chromiumArgs },
  },
});
