import { defineConfig } from "vitest/config";

const alias = { "@": import.meta.dirname };

/** Loading every package per file costs more than most files. */
const shared = { environment: "node", isolate: false, setupFiles: ["server/testing/fresh-modules.ts"] };

export default defineConfig({
  resolve: { alias },
  test: {
    // By default one processor stays free.
    maxWorkers: "100%",
    projects: [
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "unit",
          include: ["{lib,server,components}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.db.test.ts", "**/node_modules/**", "server/db/generated/**"],
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          // Not part of `npm run check`.
          name: "programs",
          include: ["{bin,prisma,bench}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.db.test.ts", "**/node_modules/**"],
          testTimeout: 60_000,
          retry: 1,
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "db",
          include: ["{lib,server,bin,prisma,bench}/**/*.db.test.ts"],
          globalSetup: ["server/testing/global-setup.ts"],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          // Second attempts are named at the end (bin/test/second-attempts.ts).
          retry: 1,
        },
      },
    ],
  },
});
