import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_SETTING, notificationSettingSchema, type NotificationSetting } from "./setting";
import { findDeliveryTime, getLocalMinute } from "./schedule";

const at = (text: string): number => Date.parse(text);
const setting = (changes: Partial<NotificationSetting>): NotificationSetting => ({ ...DEFAULT_SETTING, timeZone: "UTC", ...changes });
const sentAt = (changes: Partial<NotificationSetting>, text: string, now = text): string =>
  new Date(findDeliveryTime(setting(changes), at(text), at(now))).toISOString();

const NIGHT = { from: 22 * 60, until: 7 * 60 };

describe("a message is sent", () => {
  test("at once, unless the member chose a digest", () => {
    expect(sentAt({}, "2026-03-02T10:20:30.400Z")).toBe("2026-03-02T10:20:30.400Z");
    expect(sentAt({ cadence: "hourly" }, "2026-03-02T10:20:30Z")).toBe("2026-03-02T11:00:00.000Z");
    expect(sentAt({ cadence: "hourly" }, "2026-03-02T23:59:59Z")).toBe("2026-03-03T00:00:00.000Z");
    expect(sentAt({ cadence: "daily", dailyAt: 480 }, "2026-03-02T08:01:00Z")).toBe("2026-03-03T08:00:00.000Z");
    expect(sentAt({ cadence: "daily", dailyAt: 480 }, "2026-03-02T07:59:59Z")).toBe("2026-03-02T08:00:00.000Z");
  });

  test("after quiet hours, which may span midnight", () => {
    expect(sentAt({ quiet: NIGHT }, "2026-03-02T21:59:59Z")).toBe("2026-03-02T21:59:59.000Z");
    expect(sentAt({ quiet: NIGHT }, "2026-03-02T22:00:00Z")).toBe("2026-03-03T07:00:00.000Z");
    expect(sentAt({ quiet: NIGHT }, "2026-03-03T06:59:59Z")).toBe("2026-03-03T07:00:00.000Z");
    expect(sentAt({ quiet: { from: 540, until: 600 } }, "2026-03-03T09:30:00Z")).toBe("2026-03-03T10:00:00.000Z");
    expect(sentAt({ quiet: NIGHT, cadence: "hourly" }, "2026-03-02T21:30:00Z")).toBe("2026-03-03T07:00:00.000Z");
  });

  test("after quiet hours too when it was held up until they began", () => {
    expect(sentAt({ quiet: NIGHT }, "2026-03-02T21:59:00Z", "2026-03-02T23:10:00Z")).toBe("2026-03-03T07:00:00.000Z");
  });

  test("by the local clock, across its changes and at odd offsets", () => {
    const berlin = { timeZone: "Europe/Berlin", cadence: "daily", dailyAt: 480 } as const;
    expect(sentAt(berlin, "2026-03-28T12:00:00Z")).toBe("2026-03-29T06:00:00.000Z");
    expect(sentAt(berlin, "2026-10-24T12:00:00Z")).toBe("2026-10-25T07:00:00.000Z");
    expect(sentAt({ timeZone: "Asia/Kathmandu", cadence: "hourly" }, "2026-03-02T10:20:30Z")).toBe("2026-03-02T11:15:00.000Z");
  });

  test("never early, at most 25 hours later without quiet hours, and never inside them", () => {
    const minute = fc.integer({ min: 0, max: 1_439 });
    const settings = fc.record({
      cadence: fc.constantFrom("immediate", "hourly", "daily"),
      dailyAt: minute,
      quiet: fc.option(fc.record({ from: minute, until: minute }).filter(({ from, until }) => from !== until)),
      timeZone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"),
    });
    fc.assert(
      fc.property(settings, fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2026-12-31T00:00:00Z") }), (changes, nowMs) => {
        const sent = findDeliveryTime(setting(changes), nowMs, nowMs);
        expect(sent).toBeGreaterThanOrEqual(nowMs);
        expect(sent - nowMs).toBeLessThanOrEqual(2 * 25 * 3_600_000);
        if (!changes.quiet) return;
        const { from, until } = changes.quiet;
        const local = getLocalMinute(sent, changes.timeZone);
        // Skipped or repeated hours may end the quiet hours late.
        const isQuiet = from < until ? local >= from && local < until : local >= from || local < until;
        const day = new Date(sent).toISOString().slice(5, 10);
        const isChangeDay = ["03-08", "03-28", "03-29", "04-04", "04-05", "10-03", "10-04", "10-24", "10-25", "11-01"].includes(day);
        expect(isQuiet && !isChangeDay).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

test("a setting needs a known time zone and quiet hours that end", () => {
  const valid = setting({ quiet: NIGHT, timeZone: "Europe/Berlin" });
  expect(notificationSettingSchema.safeParse(valid).success).toBe(true);
  expect(notificationSettingSchema.safeParse({ ...valid, timeZone: "Mars/Olympus" }).success).toBe(false);
  expect(notificationSettingSchema.safeParse({ ...valid, quiet: { from: 60, until: 60 } }).success).toBe(false);
  expect(notificationSettingSchema.safeParse({ ...valid, dailyAt: 1_440 }).success).toBe(false);
});
