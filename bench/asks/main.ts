/** `npm run asks [-- --every N] [--json]`: 0 if every goal is met. */
import { parseArgs } from "node:util";
import { openOffice } from "./office";
import { describeReport, listMissedGoals, playAll } from "./report";

const { values } = parseArgs({ options: { every: { type: "string", default: "1" }, json: { type: "boolean", default: false } } });
const office = await openOffice();
try {
  const report = await playAll(office, Math.max(1, Number(values.every)));
  process.stdout.write(`${values.json ? JSON.stringify(report) : describeReport(report)}\n`);
  process.exitCode = listMissedGoals(report).length === 0 ? 0 : 1;
} finally {
  await office.close();
}
