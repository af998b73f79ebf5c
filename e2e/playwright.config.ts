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

/**
 * A start costs as much as ten pages, so groups of specs share an installation; none leaves what another depends on. The longest come first.
 */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  layout: ["every-page", "layout", "views"],
  // Runs of the timeline are dated long ago, which a verified workspace would show.
  runs: ["bundles", "elicit", "facts", "forks", "hidden", "review", "sealed", "timeline"],
  pages: ["a11y", "access", "graphs", "guessing", "help", "launch", "permissions", "trust"],
  drawing: ["editing", "fields", "first-graph", "kinds", "mcp", "outline", "overlay", "parity", "save", "transfer"],
  approvals: ["hand", "inbox", "keyboard", "mentions", "notifications", "queue", "waiting"],
  servers: ["connect", "console", "models", "oauth", "personal-tokens", "registry-page", "turn", "webhooks"],
  people: ["architect", "passkey", "people", "rules", "second-person", "versions"],
  exports: ["isolation", "ledger", "offline", "outage", "story", "tour"],
  programs: ["budgets", "first-day", "import", "labels", "progress", "stop", "triggers"],
  empty: ["demo", "setup"],
};

const grouped = new Set(Object.values(GROUPS).flat());
const alone = fs
  .readdirSync(import.meta.dirname)
  .flatMap((name) => (name.endsWith(".spec.ts") && !grouped.has(name.replace(".spec.ts", "")) ? [name.replace(".spec.ts", "")] : []));

// Workers inherit it.
installationsFolder();

export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: "../test-results",
  globalSetup: `${import.meta.dirname}/template.ts`,
  workers: 2,
  // A second worker of a project would start another installation.
  projects: Object.entries({ ...GROUPS, ...Object.fromEntries(alone.map((name) => [name, [name]])) }).map(([name, specs]) => ({
    name,
    testMatch: specs.map((spec) => `**/${spec}.spec.ts`),
    workers: 1,
  })),
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
