import { expect, it } from "vitest";
import { bucketMsOf, NO_CALLS, toUsageCsv, USAGE_DAYS, type UsageReport } from "@/lib/usage/report";

const spend = (microUsd: number) => (microUsd === 0 ? NO_CALLS : { microUsd, tokens: 2 * microUsd, calls: 1, medianMs: 40, p95Ms: null });
const report = (name: string): UsageReport => ({
  by: "agent",
  fromMs: 0,
  toMs: 7_200_000,
  bucketMs: 3_600_000,
  models: { ...spend(3), series: [spend(0), spend(3)] },
  tools: { ...NO_CALLS, series: [NO_CALLS, NO_CALLS] },
  rows: [{ key: "a", name, ...spend(3), series: [spend(0), spend(3)] }],
  runs: { started: 0, ended: 0, completed: 0, medianMs: null, p95Ms: null, series: [0, 0] },
  approvals: { asked: 0, decided: 0, medianMs: null, series: [0, 0] },
});

it("has at most 91 buckets for each period", () => {
  expect(USAGE_DAYS.map((days) => Math.ceil((days * 86_400_000) / bucketMsOf(days)))).toEqual([24, 7, 30, 90, 53]);
});

it("exports one line per row and bucket with use", () => {
  expect(toUsageCsv(report("Writer"))).toBe(
    "from,agent_id,agent,calls,tokens,micro_usd,median_ms,p95_ms\r\n1970-01-01T01:00:00.000Z,a,Writer,1,6,3,40,\r\n",
  );
});

it.each([
  ['=cmd|"x"', `"'=cmd|""x"""`],
  ["+1", "'+1"],
  ["a,b", '"a,b"'],
  ["-x\ny", `"'-x\ny"`],
])("exports the name %j as text", (name, cell) => {
  expect(toUsageCsv(report(name))).toContain(`,a,${cell},1`);
});
