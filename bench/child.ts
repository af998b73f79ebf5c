/** Child processes: order in the last argument, answer in the last line. */
import { spawn } from "node:child_process";
import path from "node:path";
import { RUNNER_ARGS } from "@/bin/start/node-args";

const TAIL_CHARS = 2_000;

export type Child = {
  readonly pid: number | undefined;
  onLine(listener: (line: string) => void): void;
  tell(line: string): void;
  kill(): void;
  /** @throws Error with its last words */
  readonly answer: Promise<string>;
};

/** @param args of Node */
export const startChild = (args: readonly string[], folder = process.cwd()): Child => {
  const child = spawn(process.execPath, [...args], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  const listeners: ((line: string) => void)[] = [];
  let [rest, last, words] = ["", "", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      last = line;
      for (const listener of listeners) listener(line);
    }
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    words = (words + chunk).slice(-TAIL_CHARS);
  });
  const answer = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(rest === "" ? last : rest);
      else reject(new Error(`ended with ${code ?? signal}: ${words.trim()}`));
    });
  });
  // It may have exited.
  child.stdin.on("error", () => undefined);
  // A killed child's answer is never awaited.
  answer.catch(() => undefined);

  return {
    pid: child.pid,
    onLine: (listener) => void listeners.push(listener),
    tell: (line) => void child.stdin.write(`${line}\n`),
    kill: () => void child.kill("SIGKILL"),
    answer,
  };
};

/** Bundled beside. */
const main = path.join(import.meta.dirname, "main.mjs");

/** Restarts this program, like a runner, as the named child. */
export const ownChild = (name: string, order: object): string[] => [...RUNNER_ARGS, main, "--child", name, JSON.stringify(order)];
