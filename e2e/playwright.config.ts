import { defineConfig } from "@playwright/test";
import { findChromium } from "../bin/test/chromium.ts";
import { e2eHome, receiverPort } from "./home.ts";

const port = Number(process.env["COUNTERSIGN_E2E_PORT"] ?? 3961);
// Sign-in cookies and redirects are for `localhost`, not for 127.0.0.1.
const baseURL = `http://localhost:${port}`;

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

/** The demo is opened once, and looked at before anybody has done anything in it. */
const FIRST = ["demo.spec.ts"];
const IN_TURN = ["access.spec.ts", "forks.spec.ts", "inbox.spec.ts", "passkey.spec.ts", "sealed.spec.ts", "story.spec.ts"];

export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: "../test-results",
  // One installation for all: two specs at a time, each on graphs and runs of its own.
  workers: 2,
  projects: [
    { name: "first", testMatch: FIRST },
    // What is the same for everybody: the customers' table, and who is an auditor. Whoever reads or changes it takes turns.
    { name: "in turn", testMatch: IN_TURN, workers: 1, dependencies: ["first"] },
    { name: "side by side", testIgnore: [...FIRST, ...IN_TURN], dependencies: ["first"] },
  ],
  // Some stories are long, and some machines half as fast: only what hangs takes as long as that.
  timeout: 240_000,
  expect: { timeout: 15_000 },
  // A real browser on a machine that others use too: those that needed it are named at the end (bin/test/again.ts).
  retries: 1,
  forbidOnly: true,
  reporter: "list",
  use: {
    baseURL,
    // A trace costs more than a third of the time, of those that pass too: ask for one with `--trace retain-on-failure`.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: { executablePath: findChromium(), args: chromiumArgs },
  },
  webServer: {
    command: `"${process.execPath}" bin/start.mjs`,
    cwd: `${import.meta.dirname}/..`,
    url: `${baseURL}/api/health`,
    reuseExistingServer: false,
    timeout: 300_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 30_000 },
    stdout: "pipe",
    // No model key: the scripted provider is what makes a run the same every time.
    env: {
      COUNTERSIGN_HOME: e2eHome(),
      PORT: String(port),
      HOST: "127.0.0.1",
      // Always its own Postgres: what these tests write must not meet what somebody else keeps there.
      DATABASE_URL: "",
      NEXTAUTH_URL: "",
      ANTHROPIC_API_KEY: "",
      OPENAI_API_KEY: "",
      OPENAI_BASE_URL: "",
      COUNTERSIGN_WEBHOOK_ORIGINS: `http://127.0.0.1:${receiverPort()}`,
    },
  },
});
