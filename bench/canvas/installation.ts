import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const STOP_MS = 30_000;

export type Installation = {
  readonly url: string;
  readonly home: string;
  /** Of the supervisor, whose children are the processes. */
  readonly pid: number;
  readonly stop: () => Promise<void>;
};

/**
 * @param kept existing state folder, not removed
 * @throws Error when it does not start
 */
export const startInstallation = async (port: number, say: (line: string) => void, kept?: string): Promise<Installation> => {
  const home = kept ?? fs.mkdtempSync(path.join(os.tmpdir(), "countersign-bench-"));
  // As root, the database runs as another user.
  fs.chmodSync(home, 0o711);
  const empty = { DATABASE_URL: "", NEXTAUTH_URL: "", ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "", OPENAI_BASE_URL: "" };
  const child = spawn(process.execPath, ["bin/start.mjs"], {
    env: { ...process.env, ...empty, COUNTERSIGN_HOME: home, PORT: String(port), HOST: "127.0.0.1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(timer);
    if (kept === undefined) fs.rmSync(home, { recursive: true, force: true });
  };
  const url = `http://localhost:${port}`;
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      const text = chunk.toString("utf8");
      for (const line of text.split("\n")) if (line.trim() !== "") say(line);
      if (text.includes(url)) resolve();
    });
  });
  const isReady = await Promise.race([ready.then(() => true), ended.then(() => false)]);
  if (!isReady) {
    await stop();
    throw new Error("the product did not start");
  }

  return { url, home, pid: child.pid ?? 0, stop };
};
