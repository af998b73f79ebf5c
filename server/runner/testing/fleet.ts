import { spawn } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { pickEnvironment, SHORT_LIVED } from "@/bin/testing";
import { bundleInto } from "@/server/mcp/testing/bundles";
import type { FleetOrder } from "@/server/runner/testing/fleet-child";
import { query, type Desk } from "@/server/runner/testing/desk";

const ENTRIES = {
  runner: "./server/runner/main.ts",
  worker: "./server/worker/main.ts",
  "tool-host": "./server/tool-host/main.ts",
  "fleet-child": "./server/runner/testing/fleet-child.ts",
};

export const prepareFleet = async ({ installation, keys }: Desk): Promise<void> => {
  await mkdir(path.join(installation.home, "keys"), { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries({ "signing.key": keys.pem, "vault.key": keys.vault })) {
    const file = path.join(installation.home, "keys", name);
    await writeFile(file, text, { mode: 0o600 });
    await chmod(file, 0o600);
  }
  await bundleInto(installation, ENTRIES);
};

export type RunnerProcess = {
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly said: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

const startProcess = async ({ installation, urls }: Desk, bundle: keyof typeof ENTRIES, env: Record<string, string>, input: string) => {
  const child = spawn(process.execPath, [...SHORT_LIVED, path.join(installation.home, "build", `${bundle}.mjs`)], {
    cwd: installation.root,
    env: {
      NODE_ENV: "production",
      COUNTERSIGN_HOME: installation.home,
      DATABASE_URL: urls.runner,
      COUNTERSIGN_CUSTOMERS_URL: urls.customers,
      ...pickEnvironment(["NODE_COMPILE_CACHE"]),
      ...env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  const ready = Promise.withResolvers<void>();
  const keep = (chunk: Buffer): void => {
    said += chunk.toString("utf8");
    if (said.includes("the runner is ready")) ready.resolve();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  child.stdin.end(input);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal })),
  );
  void ended.then(({ code, signal }) => ready.reject(new Error(`the runner ended (${code ?? signal}) before it was ready: ${said}`)));
  onTestFinished(async () => {
    child.kill("SIGCONT");
    child.kill("SIGKILL");
    await ended;
  });
  await ready.promise;

  return {
    pid: child.pid ?? -1,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    said: () => said,
    ended,
  } satisfies RunnerProcess;
};

/** Starts another runner until ready; killed after the test. */
export const startRunner = (desk: Desk, env: Record<string, string> = {}): Promise<RunnerProcess> => startProcess(desk, "runner", env, "");

export const startFleetChild = (desk: Desk, order: Omit<FleetOrder, "urls" | "installation" | "keys">): Promise<RunnerProcess> => {
  const { urls, installation, keys } = desk;

  return startProcess(desk, "fleet-child", {}, JSON.stringify({ urls, installation, keys, ...order } satisfies FleetOrder));
};

export const timesAsked = (runner: RunnerProcess): number => runner.said().split('{"asked"').length - 1;

/** Polls until true. @throws on timeout */
export const until = async <T>(what: string, look: () => Promise<T | null | false | undefined>, timeoutMs: number): Promise<T> => {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > deadlineMs) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await wait(20);
  }
};

export const isPaused = async (pid: number): Promise<boolean> =>
  (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\)/u, "").trim().startsWith("T");

export type RunRow = {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly lease_epoch: number;
  readonly leased: boolean;
};

export const listRows = (desk: Desk, runIds: readonly string[]): Promise<RunRow[]> =>
  query<RunRow>(
    desk.urls.admin,
    "select id, status, version, lease_epoch, lease_until is not null and lease_until > now() as leased from run where id = any($1::uuid[])",
    [runIds],
  );

export const allAre = (desk: Desk, runIds: readonly string[], status: string, timeoutMs: number): Promise<boolean> =>
  until(
    `all ${runIds.length} runs are ${status}`,
    async () => {
      const rows = await listRows(desk, runIds);

      return rows.length === runIds.length && rows.every((row) => row.status === status);
    },
    timeoutMs,
  );
