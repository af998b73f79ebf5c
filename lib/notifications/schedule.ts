/** Sending times by cadence and quiet hours, in the member's time zone. */
import { MINUTES_PER_DAY, type NotificationSetting } from "./setting";

const MINUTE_MS = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

const formatFor = (timeZone: string): Intl.DateTimeFormat => {
  const found =
    formats.get(timeZone) ?? new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  formats.set(timeZone, found);

  return found;
};

export const getLocalMinute = (atMs: number, timeZone: string): number => {
  const [hour = "0", minute = "0"] = formatFor(timeZone).format(atMs).split(":");

  return Number(hour) * 60 + Number(minute);
};

const wrap = (minutes: number): number => ((minutes % MINUTES_PER_DAY) + MINUTES_PER_DAY) % MINUTES_PER_DAY;

/** Returns the next time from `atMs` on at which the local clock shows `minute`. */
const findNext = (atMs: number, minute: number, timeZone: string): number => {
  const isAt = getLocalMinute(atMs, timeZone) === minute;
  if (isAt) return atMs;
  const flat = atMs - (atMs % MINUTE_MS);
  const guess = flat + wrap(minute - getLocalMinute(flat, timeZone)) * MINUTE_MS;
  // // Clock changes move the guess by up to an hour; skipped minutes have no exact answer.
  const drift = wrap(minute - getLocalMinute(guess, timeZone) + MINUTES_PER_DAY / 2) - MINUTES_PER_DAY / 2;
  const moved = guess + drift * MINUTE_MS;

  return moved > atMs ? moved : guess;
};

const isBetween = (minute: number, from: number, until: number): boolean =>
  from < until ? minute >= from && minute < until : minute >= from || minute < until;

const findSlot = ({ cadence, dailyAt, timeZone }: NotificationSetting, atMs: number): number => {
  if (cadence === "immediate") return atMs;
  if (cadence === "daily") return findNext(atMs, dailyAt, timeZone);
  const minute = getLocalMinute(atMs, timeZone);

  return minute % 60 === 0 ? atMs : findNext(atMs, wrap(minute - (minute % 60) + 60), timeZone);
};

/** Returns when to send something of `atMs`, from `nowMs` on; ms since 1970. */
export const findDeliveryTime = (setting: NotificationSetting, atMs: number, nowMs: number): number => {
  const { quiet, timeZone } = setting;
  const slot = Math.max(findSlot(setting, atMs), nowMs);
  if (!quiet || !isBetween(getLocalMinute(slot, timeZone), quiet.from, quiet.until)) return slot;

  return findNext(slot, quiet.until, timeZone);
};
