/** Ends a database server whose supervisor is gone, however it went: a server left alone would keep its files. */
import { spawn } from "node:child_process";

/** SIGINT is Postgres' fast and clean shutdown. The number is checked again by nobody, so the watch ends with the server. */
const code = (pid: number, folder: string | null): string => `
  process.stdin.once("end", () => {
    try { process.kill(${pid}, "SIGINT"); } catch {}
    const look = setInterval(() => {
      try { process.kill(${pid}, 0); } catch {
        clearInterval(look);
        ${folder === null ? "" : `require("node:fs").rmSync(${JSON.stringify(folder)}, { recursive: true, force: true });`}
      }
    }, 100);
  }).resume();
  process.once("SIGTERM", () => process.exit(0));`;

/**
 * Watches from a process of its own, which notices the end of ours by the pipe that the system closes.
 * @param folder removed after the server has ended that way
 * @returns what ends the watch, for when the server was stopped in order
 */
export const watchServer = (pid: number, folder: string | null): (() => void) => {
  const dog = spawn(process.execPath, ["-e", code(pid, folder)], { stdio: ["pipe", "ignore", "ignore"], detached: true });

  dog.unref();

  return () => dog.kill("SIGTERM");
};
