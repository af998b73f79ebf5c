import path from "node:path";
import { fileURLToPath } from "node:url";
import { spawnWithChannel, type ChannelProcess } from "@/server/ipc/spawn";
import type { SandboxPolicy } from "@/server/sandbox/policy";
import { buildWorkerPolicy, WORKER_HEAP_MIB } from "@/server/sandbox/process-policy";

export type WorkerPlace = {
  readonly root: string;
  readonly home: string;
  readonly program: string;
};

/** Returns the worker bundle beside the running one. */
export const getWorkerProgram = (): string => path.join(path.dirname(fileURLToPath(import.meta.url)), "worker.mjs");

/** Creates a worker's sandbox. @param isIsolated sandboxing is available and enabled */
export const createWorkerSandbox = (
  { root, home, program }: WorkerPlace,
  certificates: string | null,
  isIsolated: boolean,
): SandboxPolicy | null => (isIsolated ? buildWorkerPolicy({ home, root }, { program, certificates }) : null);

/** Starts a worker. @param env network settings, never keys */
export const startWorker = (
  { root, program }: Pick<WorkerPlace, "root" | "program">,
  env: Readonly<Record<string, string>>,
  sandbox: SandboxPolicy | null,
): ChannelProcess =>
  spawnWithChannel({ root, args: [`--max-old-space-size=${WORKER_HEAP_MIB}`, "--v8-pool-size=1", program], env, sandbox });
