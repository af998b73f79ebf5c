/** Whoever is measured is a process of its own: told what to do as JSON in its last argument, answering with the last line of its output. */
import { spawn } from "node:child_process";
import path from "node:path";
import { RUNNER_ARGS } from "@/bin/start/node-args";

const TAIL_CHARS = 2_000;

export type Child = {
  readonly pid: number | undefined;
  /** Each line of its output, until it ends. */
  onLine(listener: (line: string) => void): void;
  /** A line on its input. */
  tell(line: string): void;
  kill(): void;
  /** The last line of its output. @throws Error with its last words when it fails */
  readonly answer: Promise<string>;
};

/** @param args of Node @param folder where it runs */
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
  // One that is gone hears nothing.
  child.stdin.on("error", () => undefined);
  // Whoever kills it may not ask for its answer.
  answer.catch(() => undefined);

  return {
    pid: child.pid,
    onLine: (listener) => void listeners.push(listener),
    tell: (line) => void child.stdin.write(`${line}\n`),
    kill: () => void child.kill("SIGKILL"),
    answer,
  };
};

/** Bundled, all parts of this program are beside `main.mjs`. */
const main = path.join(import.meta.dirname, "main.mjs");

/** The arguments with which this program, started again as a runner is, is the child of that name: the floor's like ours. */
export const ownChild = (name: string, order: object): string[] => [...RUNNER_ARGS, main, "--child", name, JSON.stringify(order)];
