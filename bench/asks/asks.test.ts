import { afterAll, beforeAll, expect, test } from "vitest";
import { openOffice, type Office } from "./office";
import { listMissedGoals, playAll } from "./report";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());

test("one agent asks about its changes alone, a hostile one changes nothing without a receipt, and rejections leave the user's task", async () => {
  const report = await playAll(office, 7);
  expect(listMissedGoals(report)).toEqual([]);
  expect(report.benign.find(({ form }) => form === "natural")).toMatchObject({ tasks: 24, done: 24, decisions: 18 });
  expect(report.attacks.every(({ rejections }) => rejections > 0)).toBe(true);
}, 60_000);
