import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { listAllExcept, resolveRealPath } from "./paths.ts";
import { ANY_NETWORK, NO_NETWORK, type Ports, type ProcessLimits, type SandboxPolicy } from "./policy.ts";
import { PYTHONS, SYSTEM_EXECUTE, SYSTEM_READ, SYSTEM_WRITE, UNSHARE } from "./system-files.ts";

type Place = { readonly home: string; readonly root: string };

const realOf = (file: string): string => resolveRealPath(file) ?? file;

const filesOfUrl = (text: string): string[] => {
  const parameters = URL.parse(text)?.searchParams;

  return ["sslrootcert", "sslcert", "sslkey"].flatMap((name) => parameters?.get(name) ?? []);
};

const isLocalSocket = (text: string): boolean => {
  const url = URL.parse(text);
  const host = decodeURIComponent(url?.hostname ?? "");

  return host === "" || host.startsWith("/") || (url?.searchParams.get("host") ?? "").startsWith("/");
};

/** The web process: vault key and trust anchor only; writes Next's cache, starts nothing. */
export const buildWebPolicy = (
  { home, root }: Place,
  { port, databaseUrl, certificates }: { readonly port: number; readonly databaseUrl: string; readonly certificates: string | null },
): SandboxPolicy => {
  const state = realOf(home);

  return {
    read: [
      ...SYSTEM_READ,
      ...listAllExcept(realOf(root), [state]),
      ...["build", "keys/public", "keys/vault"].map((folder) => path.join(state, folder)),
      ...(certificates === null ? [] : [certificates]),
      ...filesOfUrl(databaseUrl),
    ],
    execute: [...SYSTEM_EXECUTE, process.execPath],
    write: [...SYSTEM_WRITE, path.join(root, ".next", "cache")],
    network: { ...ANY_NETWORK, listen: [port], localSockets: isLocalSocket(databaseUrl) },
    processes: false,
    limits: null,
    capabilities: true,
  };
};

const listSchema = z.object({ programs: z.array(z.object({ runs: z.object({ path: z.string().optional() }) })) });

const offeredFiles = (state: string): readonly string[] => {
  const list = path.join(state, "keys", "programs.json");
  try {
    return listSchema.parse(JSON.parse(fs.readFileSync(list, "utf8"))).programs.flatMap(({ runs }) => runs.path ?? []);
  } catch {
    // The runner cannot read it either.
    return [];
  }
};

/** The runner reads everything, since programs can be anywhere, but writes no programs. */
export const buildRunnerPolicy = ({ home, root }: Place): SandboxPolicy => {
  const [state, app] = [realOf(home), realOf(root)];
  const built = path.join(state, "build");

  return {
    read: ["/"],
    execute: [...SYSTEM_EXECUTE, ...PYTHONS, process.execPath, UNSHARE, path.join(state, "programs"), ...offeredFiles(state)],
    write: [...new Set([...listAllExcept("/", [app, built, process.execPath]), ...listAllExcept(state, [built])])],
    network: ANY_NETWORK,
    processes: true,
    limits: null,
    capabilities: true,
  };
};

export const WORKER_HEAP_MIB = 512;

const WORKER_LIMITS: ProcessLimits = {
  // Three times the heap, for code, buffers and thread stacks.
  memoryBytes: 3 * WORKER_HEAP_MIB * 1_048_576,
  // As long as its workspace has work; the pool's pings end a hung one.
  processorSeconds: 315_360_000,
  openFiles: 1_024,
  fileBytes: 0,
  // The kernel counts the whole user, whose other processes may grow.
  threads: 4_096,
};

/** Writes and starts nothing, but connects to any port, since models can be anywhere. */
export const buildWorkerPolicy = (
  { home, root }: Place,
  { program, certificates }: { readonly program: string; readonly certificates: string | null },
): SandboxPolicy => {
  const [state, app, bundle] = [home, root, program].map(realOf) as [string, string, string];
  const leash = ["leash.mjs", "leash-watch.mjs"].map((name) => path.join(app, "bin", "start", name));

  return {
    read: [
      ...SYSTEM_READ,
      bundle,
      ...[`${bundle}.map`, path.join(app, "package.json"), ...leash].filter((file) => resolveRealPath(file) !== null),
      ...listAllExcept(realOf(path.join(app, "node_modules")), [state]),
      ...(certificates === null ? [] : [certificates]),
    ],
    execute: [...SYSTEM_EXECUTE, process.execPath],
    write: SYSTEM_WRITE,
    network: { ...ANY_NETWORK, listen: [], localSockets: false },
    processes: false,
    limits: WORKER_LIMITS,
    capabilities: false,
  };
};

/** Children cannot exceed their host's limits. */
const TOOL_HOST_LIMITS: ProcessLimits = {
  memoryBytes: 2_048 * 1_048_576,
  // As long as its workspace calls tools.
  processorSeconds: 31_536_000,
  openFiles: 4_096,
  fileBytes: 256 * 1_048_576,
  threads: 8_192,
};

type HostedPrograms = {
  /** `any` where the operator gave a program network access. */
  readonly connect: Ports;
  readonly own: readonly string[];
  readonly read: readonly string[];
  readonly execute: readonly string[];
  readonly write: readonly string[];
};

/** A tool host has no private keys or state; writes only its servers' folders. */
export const buildToolHostPolicy = ({ home, root }: Place, { connect, own, read, execute, write }: HostedPrograms): SandboxPolicy => {
  const state = realOf(home);

  return {
    read: [
      ...SYSTEM_READ,
      ...listAllExcept(realOf(root), [state]),
      ...["build", "keys/public"].map((folder) => path.join(state, folder)),
      ...read,
    ],
    execute: [...new Set([...SYSTEM_EXECUTE, process.execPath, UNSHARE, ...execute])],
    write: [...new Set([...SYSTEM_WRITE, ...own, ...write])],
    network: connect === "any" ? { ...ANY_NETWORK, localSockets: false } : { ...NO_NETWORK, connect, datagrams: true },
    processes: true,
    limits: TOOL_HOST_LIMITS,
    // A launcher needs some in order to drop them.
    capabilities: true,
  };
};
