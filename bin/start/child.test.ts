import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { superviseChild } from "./child.ts";

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);

    // A zombie stays in the table until its parent looks.
    return !/^State:\s+Z/mu.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const pidsIn = (file: string): number[] =>
  fs.existsSync(file)
    ? fs
        .readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map(Number)
    : [];

const script = (folder: string, body: string): string => {
  const file = path.join(folder, "script.mjs");

  fs.writeFileSync(
    file,
    `import fs from "node:fs"; import { spawn } from "node:child_process";\nconst seen = ${JSON.stringify(path.join(folder, "pids"))};\n${body}\n`,
  );

  return file;
};

const noteSelf = "fs.appendFileSync(seen, `${process.pid}\\n`);";
const helper = 'const h = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]); fs.appendFileSync(seen, `${h.pid}\\n`);';

const supervise = (folder: string, body: string, onGivenUp: (words: string) => void = () => undefined) =>
  superviseChild({
    name: "runner",
    args: [script(folder, body)],
    cwd: folder,
    env: { NODE_ENV: "test", PATH: process.env["PATH"] },
    logFile: path.join(folder, "log"),
    sandbox: null,
    onGivenUp,
  });

test("restarts a crashed process, and its output is in the log", () =>
  inTemporaryFolder(async (folder) => {
    const pids = path.join(folder, "pids");
    const child = supervise(folder, `${noteSelf} console.error("out of luck"); setTimeout(() => process.exit(3), 50);`);

    await vi.waitFor(() => expect(new Set(pidsIn(pids)).size).toBeGreaterThan(1), { timeout: 10_000 });
    await child.stop();
    expect(fs.readFileSync(path.join(folder, "log"), "utf8")).toContain("out of luck");
    expect(pidsIn(pids).filter(isAlive)).toEqual([]);
  }));

test("stops everything that the process started", () =>
  inTemporaryFolder(async (folder) => {
    const pids = path.join(folder, "pids");
    const child = supervise(folder, `${helper} ${noteSelf} setInterval(() => {}, 1000);`);

    await vi.waitFor(() => expect(pidsIn(pids)).toHaveLength(2), { timeout: 10_000 });
    await child.stop();
    await vi.waitFor(() => expect(pidsIn(pids).filter(isAlive)).toEqual([]), { timeout: 5_000 });
  }));

test("a process ends with a supervisor killed by -9", () =>
  inTemporaryFolder(async (folder) => {
    const pids = path.join(folder, "pids");
    const child = pathToFileURL(path.join(import.meta.dirname, "child.ts")).href;
    const spec = {
      name: "runner",
      args: [script(folder, `${noteSelf} setInterval(() => {}, 1000);`)],
      cwd: folder,
      env: { PATH: process.env["PATH"] },
      logFile: path.join(folder, "log"),
      sandbox: null,
    };
    const code = `const { superviseChild } = await import(${JSON.stringify(child)}); superviseChild(${JSON.stringify(spec)});`;
    const supervisor = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "inherit" });

    await vi.waitFor(() => expect(pidsIn(pids)).toHaveLength(1), { timeout: 10_000 });
    supervisor.kill("SIGKILL");
    await vi.waitFor(() => expect(pidsIn(pids).filter(isAlive)).toEqual([]), { timeout: 10_000 });
  }));

test(
  "a blocked process that ignores signals ends, with its servers, within ten seconds of its supervisor",
  () =>
    inTemporaryFolder(async (folder) => {
      const pids = path.join(folder, "pids");
      const child = pathToFileURL(path.join(import.meta.dirname, "child.ts")).href;
      const server =
        'const h = spawn(process.execPath, ["-e", "process.on(\'SIGTERM\', () => {}); setInterval(() => {}, 1000)"]); fs.appendFileSync(seen, `${h.pid}\\n`);';
      const body = `process.on("SIGTERM", () => {}); ${server} ${noteSelf} await new Promise((r) => h.once("spawn", r)); for (;;);`;
      const spec = { name: "runner", args: [script(folder, body)], cwd: folder, env: {}, logFile: path.join(folder, "log"), sandbox: null };
      const code = `const { superviseChild } = await import(${JSON.stringify(child)}); superviseChild(${JSON.stringify(spec)});`;
      const supervisor = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "inherit" });

      await vi.waitFor(() => expect(pidsIn(pids)).toHaveLength(2), { timeout: 10_000 });
      supervisor.kill("SIGKILL");
      await vi.waitFor(() => expect(pidsIn(pids).filter(isAlive)).toEqual([]), { timeout: 10_000, interval: 200 });
    }),
  30_000,
);
