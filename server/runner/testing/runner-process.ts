/** Another runner of the same installation, in a process of its own. */
import { spawn } from "node:child_process";
import path from "node:path";
import { build } from "esbuild";
import type { Installation } from "@/server/mcp/manifest";
import type { CrashOrder } from "@/server/runner/testing/crash-child";
import { query, type Desk } from "@/server/runner/testing/desk";

const childOf = (installation: Installation) => path.join(installation.home, "build", "crash-child.mjs");

export const bundleChild = async (installation: Installation): Promise<void> => {
  const root = path.resolve(import.meta.dirname, "../../..");
  await build({
    entryPoints: [path.join(root, "server/runner/testing/crash-child.ts")],
    outfile: childOf(installation),
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { "@": root },
    logLevel: "error",
  });
};

type Job = Omit<CrashOrder, "urls" | "installation" | "keys" | "workspace"> & { readonly desk: Desk };

/** Drives one run until it waits or has ended, or the process is to die. @returns the signal that ended it */
export const runRunner = ({ desk, ...job }: Job): Promise<NodeJS.Signals | null> => {
  const { urls, installation, keys, workspace } = desk;
  const order: CrashOrder = { urls, installation, keys, workspace, ...job };
  const running = spawn(process.execPath, [childOf(installation)], { stdio: ["pipe", "inherit", "inherit"], cwd: installation.root });
  running.stdin.end(JSON.stringify(order));

  return new Promise((resolve, reject) => {
    running.once("error", reject);
    running.once("exit", (_code, signal) => resolve(signal));
  });
};

/** The database's own clock says when a dead runner's lease is over. */
export const leaseOver = (desk: Desk, runId: string) =>
  query(desk.urls.admin, "select pg_sleep_until(lease_until + interval '1 millisecond') from run where id = $1 and lease_until > now()", [
    runId,
  ]);
