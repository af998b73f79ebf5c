import * as fc from "fast-check";
import { expect, test } from "vitest";
import { getSnoozeEnd } from "./snooze-times";

const HOUR_MS = 3_600_000;
const NOON = new Date(2026, 10, 27, 12).getTime();

test("snoozes for hours, until the next morning, or until the request changes", () => {
  expect(getSnoozeEnd("1h", NOON)).toBe(NOON + HOUR_MS);
  expect(getSnoozeEnd("4h", NOON)).toBe(NOON + 4 * HOUR_MS);
  expect(getSnoozeEnd("tomorrow", NOON)).toBe(new Date(2026, 10, 28, 9).getTime());
  expect(getSnoozeEnd("change", NOON)).toBeNull();
});

test("ends tomorrow at nine whatever the time of the day, in a later month too", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(2026, 0, 1), max: new Date(2027, 11, 31), noInvalidDate: true }), (now) => {
      const end = new Date(getSnoozeEnd("tomorrow", now.getTime()) ?? 0);
      const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
      expect([end.getFullYear(), end.getMonth(), end.getDate(), end.getHours(), end.getMinutes()]).toEqual([
        tomorrow.getFullYear(),
        tomorrow.getMonth(),
        tomorrow.getDate(),
        9,
        0,
      ]);
    }),
  );
});
