import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { ROOT } from "./start/settings.ts";

/** Runs `work` in a temporary folder that the Postgres user can traverse. */
export const inTemporaryFolder = async <T>(work: (folder: string) => Promise<T> | T): Promise<T> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-bin-"));

  fs.chmodSync(folder, 0o711);
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

const GUIDE = path.join(ROOT, "docs", "operating");

/** Reads a page of docs/operating, or all of them. @returns Markdown */
export const readGuide = (...pages: readonly string[]): string =>
  (pages.length > 0 ? pages.map((page) => `${page}.md`) : fs.readdirSync(GUIDE).toSorted())
    .map((file) => fs.readFileSync(path.join(GUIDE, file), "utf8"))
    .join("\n");

/** Reads the shell lines of the guide's drill. @throws when there is none */
export const readDrill = (name: string): string => {
  const lines = new RegExp(`<!-- drill: ${name} -->\\s+\`\`\`sh\\n(?<lines>[^\`]+)\`\`\``, "u").exec(readGuide())?.groups?.["lines"];
  if (lines === undefined) throw new Error(`the guide has no drill ${name}`);

  return lines;
};

/** Picks set variables. */
export const pickEnvironment = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];

      return value === undefined ? [] : [[name, value] as const];
    }),
  );

/** For tests: their programs end before optimizing and collector threads pay. */
export const SHORT_LIVED = [
  "--no-wasm-dynamic-tiering",
  "--no-wasm-tier-up",
  "--no-turbofan",
  "--no-maglev",
  "--single-threaded-gc",
] as const;

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Running = { readonly child: ChildProcess; readonly finished: Promise<Finished>; seen(pattern: RegExp): Promise<string> };

/** Starts `node bin/<script>` with a minimal environment. */
export const runStart = (
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
  script: "start.mjs" | "dev.mjs" = "start.mjs",
): Running => {
  const child = spawn(process.execPath, [...nodeArgs, path.join(ROOT, "bin", script)], {
    cwd: ROOT,
    env: { NODE_ENV: "test", ...pickEnvironment(["PATH", "HOME", "NODE_COMPILE_CACHE"]), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  const lookers = new Set<() => void>();

  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
    for (const look of lookers) look();
  });
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  const finished = new Promise<Finished>((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));

  return {
    child,
    finished,
    seen: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(stdout);

          if (match === null) return;
          lookers.delete(look);
          resolve(match[0]);
        };

        lookers.add(look);
        look();
        void finished.then(({ code }) => reject(new Error(`ended with ${code} before ${String(pattern)}: ${stdout}${stderr}`)));
      }),
  };
};

/** Takes a free loopback port during `work`. */
export const withTakenPort = async <T>(work: (port: number) => Promise<T>): Promise<T> => {
  const server = net.createServer();

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();

  try {
    if (address === null || typeof address === "string") throw new Error("no port");

    return await work(address.port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
};
