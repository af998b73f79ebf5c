/** From Linux's /proc; elsewhere null. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";

const read = (file: string): string | null => {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return null;
  }
};

export const processesWith = (...parts: readonly string[]): number[] =>
  (fs.existsSync("/proc") ? fs.readdirSync("/proc") : [])
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => {
      const command = read(`/proc/${name}/cmdline`)?.replaceAll("\0", " ") ?? "";

      return parts.every((part) => command.includes(part)) ? [Number(name)] : [];
    });

let ticks: number | null = null;
const ticksPerSecond = (): number => (ticks ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" })));

/** Null: no such process. */
export const cpuSeconds = (pid: number): number | null => {
  // The name in brackets may contain anything.
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /su, "")
    .split(" ");

  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) / ticksPerSecond();
};

export const memoryMb = (pid: number): number | null => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/mu.exec(read(`/proc/${pid}/status`) ?? "")?.[1];

  return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
};
