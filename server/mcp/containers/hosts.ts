import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { AppError } from "@/lib/errors";
import { openEgressProxy, type EgressRules } from "@/server/mcp/egress-proxy";
import type { Environment } from "@/server/mcp/programs/run-installer";

const RELAY_PORT = 3_128;
const READY_MS = 10_000;

const NSENTER = "/usr/bin/nsenter";

export type HostsAccess = {
  readonly env: Environment;
  /** Before the container starts. */
  enter(pid: number): Promise<void>;
  close(): Promise<void>;
};

export const openHosts = async (rules: EgressRules, relay: string): Promise<HostsAccess> => {
  // A socket's path is short.
  const folder = await mkdtemp(path.join(os.tmpdir(), "countersign-egress-"));
  const socket = path.join(folder, "proxy.sock");
  const proxy = await openEgressProxy(rules, { path: socket, port: RELAY_PORT });
  let child: ReturnType<typeof spawn> | null = null;

  return {
    env: proxy.env,
    enter: async (pid) => {
      const isRoot = process.geteuid?.() === 0;
      const namespaces = [...(isRoot ? [] : ["--user", "--preserve-credentials"]), "--net"];
      const started = spawn(NSENTER, ["--target", String(pid), ...namespaces, process.execPath, relay, String(RELAY_PORT), socket], {
        cwd: "/",
        env: { NODE_ENV: "production" },
        stdio: ["pipe", "pipe", "ignore"],
      });
      child = started;
      started.stdin.on("error", () => undefined);
      const signal = AbortSignal.timeout(READY_MS);
      const ended = once(started, "exit", { signal }).then(() => Promise.reject(new Error("exit")));
      await Promise.race([once(started.stdout, "data", { signal }), ended]).catch((cause: unknown) => {
        throw new AppError("server_unreachable", { message: "The container's network could not be entered with nsenter.", cause });
      });
    },
    close: async () => {
      child?.kill("SIGKILL");
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
