import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const stopTimeoutMs = 20_000;
const lookEveryMs = 50;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);

    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** Null: unknown. */
const commandOf = (pid: number): string | null => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return null;
  }
};

/** Stops a server on this directory and removes dead ones' files. @returns whether one ran */
export const stopLeftPostgres = async (dataDir: string): Promise<boolean> => {
  const pidFile = path.join(dataDir, "postmaster.pid");

  if (!fs.existsSync(pidFile)) return false;
  const pid = Number(fs.readFileSync(pidFile, "utf8").split("\n")[0]);
  const command = commandOf(pid);
  const alive = Number.isInteger(pid) && pid > 1 && isAlive(pid);

  // Postgres refuses to start when the file's process id lives, even as another program.
  if (!alive || (command !== null && !command.includes(dataDir))) {
    fs.rmSync(pidFile, { force: true });

    return false;
  }
  process.kill(pid, "SIGINT");
  const deadlineMs = Date.now() + stopTimeoutMs;

  while (isAlive(pid) && Date.now() < deadlineMs) await wait(lookEveryMs);
  if (isAlive(pid)) process.kill(pid, "SIGQUIT");
  while (isAlive(pid) && Date.now() < deadlineMs + stopTimeoutMs) await wait(lookEveryMs);

  return true;
};
