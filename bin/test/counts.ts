import fs from "node:fs";
import { z } from "zod";
import type { Step } from "./steps.ts";

export type Counts = { readonly passed: number; readonly failed: number };

const vitestSchema = z.object({ numPassedTests: z.int(), numFailedTests: z.int() });
/** bin/test/second-attempts.ts names flaky tests. */
const playwrightSchema = z.object({ stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }) });

export const noCounts: Counts = { passed: 0, failed: 0 };

const countsIn = (kind: "vitest" | "playwright", report: unknown): Counts => {
  if (kind === "vitest") {
    const { numPassedTests, numFailedTests } = vitestSchema.parse(report);

    return { passed: numPassedTests, failed: numFailedTests };
  }
  const { stats } = playwrightSchema.parse(report);

  return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
};

export const countFlows = ({ report }: Step): Counts => {
  if (report === undefined || !fs.existsSync(report.file)) return noCounts;

  return countsIn(report.kind, JSON.parse(fs.readFileSync(report.file, "utf8")));
};
