import { spawn } from "node:child_process";
import path from "node:path";
import { SHORT_LIVED } from "@/bin/testing";
import type { Installation } from "@/server/mcp/programs/installation";
import { bundleShared } from "@/server/mcp/testing/bundles";
import type { CrashOrder } from "@/server/runner/testing/crash-child";
import { query, type Desk } from "@/server/runner/testing/desk";

const built = new WeakMap<Installation, string>();

export const bundleChild = async (installation: Installation): Promise<void> => {
  built.set(installation, await bundleShared(installation, { "crash-child": "./server/runner/testing/crash-child.ts" }));
};

type Job = Omit<CrashOrder, "urls" | "installation" | "keys" | "workspace"> & { readonly desk: Desk };

/** @returns the signal that ended it */
export const runRunner = ({ desk, ...job }: Job): Promise<NodeJS.Signals | null> => {
  const { urls, installation, keys, workspace } = desk;
  const order: CrashOrder = { urls, installation, keys, workspace, ...job };
  const folder = built.get(installation);
  if (folder === undefined) throw new Error("the runner is not bundled");
  const running = spawn(process.execPath, [...SHORT_LIVED, path.join(folder, "crash-child.mjs")], {
    stdio: ["pipe", "inherit", "inherit"],
    cwd: installation.root,
  });
  running.stdin.end(JSON.stringify(order));

  return new Promise((resolve, reject) => {
    running.once("error", reject);
    running.once("exit", (_code, signal) => resolve(signal));
  });
};

/** A short lease would also expire for a live runner on a busy machine. */
export const leaseOver = (desk: Desk, runId: string) =>
  query(desk.urls.admin, "update run set lease_until = now() - interval '1 millisecond' where id = $1 and lease_until > now()", [runId]);
