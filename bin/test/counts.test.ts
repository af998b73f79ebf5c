import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { countFlows } from "./counts.ts";

const counted = (kind: "vitest" | "playwright", report: object) =>
  inTemporaryFolder((folder) => {
    const file = path.join(folder, "report.json");

    fs.writeFileSync(file, JSON.stringify(report));

    return countFlows({ label: "x", program: "x", args: [], report: { kind, file } });
  });

test("reads passed and failed tests from both reports, and counts a flaky test as passed", async () => {
  expect(await counted("vitest", { numPassedTests: 5, numFailedTests: 1, numTotalTests: 6 })).toEqual({ passed: 5, failed: 1 });
  expect(await counted("playwright", { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 0 } })).toEqual({ passed: 4, failed: 1 });
});

test("counts nothing for a step without a report", () => {
  expect(countFlows({ label: "x", program: "x", args: [] })).toEqual({ passed: 0, failed: 0 });
  expect(countFlows({ label: "x", program: "x", args: [], report: { kind: "vitest", file: "/nowhere/report.json" } })).toEqual({
    passed: 0,
    failed: 0,
  });
});
