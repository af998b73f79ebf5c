/** `npm run bench:said`. */
import { defineConfig } from "@playwright/test";
import config from "../playwright.config.ts";

const { projects: _, ...shared } = config;

export default defineConfig({ ...shared, testDir: import.meta.dirname, testMatch: ["said.ts"], retries: 0 });
