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

const statOf = (pid: number): readonly string[] | undefined =>
  // The name in brackets may contain anything.
  read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /su, "")
    .split(" ");

/** Null: no such process. */
export const cpuSeconds = (pid: number, of: "itself" | "with ended children" = "itself"): number | null => {
  const fields = statOf(pid)?.slice(11, of === "itself" ? 13 : 15);

  return fields === undefined ? null : fields.reduce((sum, field) => sum + Number(field), 0) / ticksPerSecond();
};

export const listDescendants = (pids: readonly number[]): readonly number[] => {
  const parents = new Map(processesWith().map((pid) => [pid, Number(statOf(pid)?.[1] ?? 0)]));
  const found = new Set(pids);
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }

  return [...found];
};

export const memoryMb = (pid: number): number | null => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/mu.exec(read(`/proc/${pid}/status`) ?? "")?.[1];

  return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
};
