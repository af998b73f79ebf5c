/** Two supervisors would run two databases on the same files. */
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { StartFailure } from "./failure.ts";

const holderSchema = z.strictObject({ pid: z.int().positive(), born: z.string(), url: z.string() });

type Holder = z.infer<typeof holderSchema>;

/** Process ids are reused. */
const bornAt = (pid: number): string => {
  try {
    // Field 22 of proc(5); the second may contain spaces.
    return fs.readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/u, "").split(" ")[20] ?? "";
  } catch {
    return "";
  }
};

const isAlive = ({ pid, born }: Holder): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Lives under another user.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }

  return bornAt(pid) === born;
};

const holderOf = (file: string): Holder | null => {
  try {
    return holderSchema.parse(JSON.parse(fs.readFileSync(file, "utf8")));
  } catch {
    return null;
  }
};

const attempts = 3;

/**
 * Locks the state folder; replaces a dead process's lock.
 * @returns a function that releases it
 * @throws StartFailure when another start holds it
 */
export const takeLock = (home: string, url: string): (() => void) => {
  const file = path.join(home, "lock");
  const mine = JSON.stringify({ pid: process.pid, born: bornAt(process.pid), url } satisfies Holder);

  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      fs.writeFileSync(file, mine, { flag: "wx", mode: 0o600 });

      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      const holder = holderOf(file);

      if (holder !== null && isAlive(holder)) {
        throw new StartFailure(
          `Countersign is already running with the state folder ${home} (process ${holder.pid}, ${holder.url}). Stop it first, or set COUNTERSIGN_HOME to another folder.`,
        );
      }
      fs.rmSync(file, { force: true });
    }
  }

  throw new StartFailure(`Another start is using ${home}. Wait until it is done and try again.`);
};
