import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const alias = { "@": import.meta.dirname };

/** Loading every package per file costs more than most files. */
const shared = { environment: "node", isolate: false, setupFiles: ["server/testing/fresh-modules.ts"] };

/** They start sandboxes and other processes. */
const PROCESSES = "server/{code,ipc,sandbox,tool-host,worker}/**/*.test.ts";

/** A fresh clone knows no durations: these would run alone at the end. */
const LONGEST = [
  "bench/adversary/rungs/rungs.db.test.ts",
  "server/runner/crash.db.test.ts",
  "bench/adversary/rungs/server/server.db.test.ts",
  "bench/chaos/schedule.db.test.ts",
  "bin/cli/run.db.test.ts",
  "server/seed/research/zones.db.test.ts",
  "server/runner/fleet-drain.db.test.ts",
  "server/runner/edited-crash.db.test.ts",
  "server/runner/fleet-fence.db.test.ts",
  "server/runner/silent.db.test.ts",
  "server/seed/order-desk/restart.db.test.ts",
  "server/runner/fleet.db.test.ts",
  "server/runner/fleet-once.db.test.ts",
  "server/worker/worker.db.test.ts",
  "bench/adversary/rungs/host/host.db.test.ts",
  "bench/adversary/rungs/worker/worker.db.test.ts",
  "bin/dev/dev.test.ts",
  "bench/bench.test.ts",
  "bench/adversary/ablation.test.ts",
  "bin/start/embedded.test.ts",
  "bench/adversary/servers/servers.test.ts",
  "bench/adversary/campaign.test.ts",
  "server/worker/pool.test.ts",
  "server/tool-host/tool-host.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
      if (place !== -1) return place;

      // In a row, these share modules (server/testing/fresh-modules.ts).
      return moduleId.startsWith(`${import.meta.dirname}/lib/`) ? LONGEST.length : LONGEST.length + 1;
    };

    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer has this name
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  resolve: { alias },
  test: {
    // By default one processor stays free.
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "unit",
          include: ["{lib,server,components}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.db.test.ts", PROCESSES, "**/node_modules/**", "server/db/generated/**"],
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias },
        // Not part of `npm run check`, like programs.
        test: { ...shared, name: "processes", include: [PROCESSES], exclude: ["**/*.db.test.ts"], testTimeout: 30_000 },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
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
      {
        resolve: { alias },
        // `npm run interop`: installs packages from public registries.
        test: { ...shared, name: "interop", include: ["bench/interop/*.interop.ts"], globalSetup: ["server/testing/global-setup.ts"] },
      },
    ],
  },
});
