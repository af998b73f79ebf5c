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
  // Chromium's sandbox refuses to work for root.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

/** First, so that none runs alone at the end. */
const LONGEST = new Set(["a11y", "inbox", "kinds", "trust", "timeline", "registry-page", "ledger", "save"]);

const specs = fs
  .readdirSync(import.meta.dirname)
  .flatMap((name) => (name.endsWith(".spec.ts") ? [name.replace(".spec.ts", "")] : []))
  .toSorted((one, other) => Number(LONGEST.has(other)) - Number(LONGEST.has(one)));

// Before the workers start, which inherit it.
installationsFolder();

export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: "../test-results",
  globalSetup: `${import.meta.dirname}/template.ts`,
  workers: 2,
  // Each worker has its own installation (test.ts), so specs share no state.
  projects: specs.map((name) => ({ name, testMatch: `**/${name}.spec.ts` })),
  // Some stories are long and some machines half as fast; only a hang takes this long.
  timeout: 240_000,
  // An installation's first run starts sandboxed processes.
  expect: { timeout: 30_000 },
  // Shared machines are noisy; retried specs are listed at the end (bin/test/second-attempts.ts).
  retries: 1,
  forbidOnly: true,
  reporter: "list",
  use: {
    // A trace costs over a third of the time; use `--trace retain-on-failure`.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: { executablePath: findChromium(), args: chromiumArgs },
  },
});
