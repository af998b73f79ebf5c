/** `npm run screenshots`: pictures for the README and sheets of all pages. */
import { defineConfig } from "@playwright/test";
import config from "../playwright.config.ts";

const { projects: _, ...shared } = config;

export default defineConfig({
  ...shared,
  testDir: import.meta.dirname,
  testMatch: ["readme.ts", "sheets.ts"],
  use: { ...shared.use, viewport: { width: 1440, height: 900 }, colorScheme: "light" },
});
