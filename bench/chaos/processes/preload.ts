/** Adjustable clock and memory samples: `?clock=<file>&memory=<file>`. */
import fs from "node:fs";

const LOOK_MS = 200;
/** More collections would distort the measurement. */
const MEMORY_MS = 3_000;

const asked = new URL(import.meta.url).searchParams;
const clockFile = asked.get("clock") ?? "";
const memoryFile = asked.get("memory") ?? "";

const RealDate = Date;
let shiftMs = 0;

class ShiftedDate extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...(args as [number]));
  }

  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

// The constructor's type has call signatures that a class cannot have.
globalThis.Date = ShiftedDate as unknown as DateConstructor;

const look = (): void => {
  try {
    shiftMs = Number(fs.readFileSync(clockFile, "utf8")) || 0;
  } catch {
    shiftMs = 0;
  }
};
look();
setInterval(look, LOOK_MS).unref();

/** Retained memory. */
const note = (): void => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  fs.appendFileSync(memoryFile, `${JSON.stringify({ at: RealDate.now(), pid: process.pid, rss, heap: heapUsed })}\n`);
};
setInterval(note, MEMORY_MS).unref();
