/** Ends a server whose supervisor is gone: it would keep its files. */
import { spawn } from "node:child_process";

/** SIGINT is the clean shutdown. */
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

/** Watches from another process, by a pipe that closes with ours. @param folder removed with the server @returns a function that ends the watch */
export const watchServer = (pid: number, folder: string | null): (() => void) => {
  const dog = spawn(process.execPath, ["-e", code(pid, folder)], { stdio: ["pipe", "ignore", "ignore"], detached: true });

  dog.unref();

  return () => dog.kill("SIGTERM");
};
