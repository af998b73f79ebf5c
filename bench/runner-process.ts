import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { bundlePrograms } from "@/bin/bundle";
import { queryOn } from "@/server/testing/connections";
import { startChild, type Child } from "./child";

const LOOK_EVERY_MS = 10;
const PATIENCE_MS = 240_000;

/** Packages are found through a link. @returns the program */
export const buildRunner = async (home: string): Promise<string> => {
  const outdir = path.join(home, "build");
  await bundlePrograms({
    root: path.resolve("."),
    outdir,
    entries: { runner: "./server/runner/main.ts", worker: "./server/worker/main.ts", "tool-host": "./server/tool-host/main.ts" },
  });
  fs.symlinkSync(path.resolve("node_modules"), path.join(outdir, "node_modules"), "junction");

  return path.join(outdir, "runner.mjs");
};

type Where = {
  readonly home: string;
  readonly runnerUrl: string;
  readonly adminUrl: string;
  readonly env?: Readonly<Record<string, string>>;
};

const beats = async (adminUrl: string): Promise<number> => {
  const [found] = await queryOn<{ n: number }>(adminUrl, "select count(*)::int as n from runner_heartbeat");

  return found?.n ?? 0;
};

/** @throws Error after four minutes, for busy machines */
export const startRunner = async (program: string, { home, runnerUrl, adminUrl, env = {} }: Where): Promise<Child> => {
  const settings = path.join(home, "runner.env");
  const variables = {
    COUNTERSIGN_HOME: home,
    DATABASE_URL: runnerUrl,
    NODE_ENV: "production",
    NEXTAUTH_URL: "http://localhost:3974",
    ...env,
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  fs.writeFileSync(settings, lines.join(""), { mode: 0o600 });
  await queryOn(adminUrl, "delete from runner_heartbeat");
  const child = startChild([`--env-file=${settings}`, "--enable-source-maps", program]);
  const untilMs = performance.now() + PATIENCE_MS;
  while ((await beats(adminUrl)) === 0) {
    if (performance.now() > untilMs) {
      child.kill();
      throw new Error("the runner did not become ready");
    }
    await wait(LOOK_EVERY_MS);
  }

  return child;
};
