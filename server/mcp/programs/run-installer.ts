import { spawn } from "node:child_process";
import path from "node:path";
import { createInvalidProgram } from "./installation";

export type Environment = Readonly<Record<string, string>>;

const TIMEOUT_MS = 600_000;
const MOST_CHARS = 100_000;

/** Returns the output. The folder beside Node comes first on PATH. @throws AppError("manifest_invalid") with its last words */
export const runInstaller = (
  command: string,
  args: readonly string[],
  cwd: string,
  env: Environment,
  timeoutMs = TIMEOUT_MS,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const PATH = [path.dirname(process.execPath), env["PATH"] ?? ""].join(path.delimiter);
    const child = spawn(command, [...args], {
      cwd,
      env: { ...env, PATH, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
    });
    let [out, words] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out = `${out}${chunk.toString("utf8")}`.slice(-MOST_CHARS)));
    child.stderr.on("data", (chunk: Buffer) => (words = `${words}${chunk.toString("utf8")}`.slice(-MOST_CHARS)));
    const name = path.basename(command);
    child.once("error", () => reject(createInvalidProgram(`${name} was not found.`)));
    child.once("close", (code) =>
      code === 0 ? resolve(out) : reject(createInvalidProgram(`${name} failed: ${`${words}\n${out}`.trim().slice(0, 1_000)}`)),
    );
  });
