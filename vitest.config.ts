import { defineConfig } from "vitest/config";

const alias = { "@": import.meta.dirname };

export default defineConfig({
  resolve: { alias },
  test: {
    // Left alone, vitest keeps one processor for itself, which is half of a machine with two.
    maxWorkers: "100%",
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["{lib,server,components,bin,prisma,bench}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.db.test.ts", "server/db/generated/**"],
          environment: "node",
          // The tests in bin start real servers.
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "db",
          include: ["{lib,server,bin,prisma}/**/*.db.test.ts"],
          environment: "node",
          globalSetup: ["server/testing/global-setup.ts"],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
