/** The sandboxes of the web process, the runner, workers and tool hosts. */
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { allExcept, realPathOf } from "./paths.ts";
import { ANY_NETWORK, NO_NETWORK, type Ports, type ProcessLimits, type SandboxPolicy } from "./policy.ts";
import { SYSTEM_EXECUTE, SYSTEM_READ, SYSTEM_WRITE, UNSHARE } from "./system-files.ts";

type Place = { readonly home: string; readonly root: string };

const realOf = (file: string): string => realPathOf(file) ?? file;

/** Certificate files that a connection string names. */
const filesOfUrl = (text: string): string[] => {
  const parameters = URL.parse(text)?.searchParams;

  return ["sslrootcert", "sslcert", "sslkey"].flatMap((name) => parameters?.get(name) ?? []);
};

/** Whether the database is reached by a socket in a folder. */
const isLocalSocket = (text: string): boolean => {
  const url = URL.parse(text);
  const host = decodeURIComponent(url?.hostname ?? "");

  return host === "" || host.startsWith("/") || (url?.searchParams.get("host") ?? "").startsWith("/");
};

/**
 * The web process: the application, the vault's key and the trust anchor. No other key, no file to write but Next's cache, no
 * other process, and no port to listen on but its own.
 */
export const buildWebPolicy = (
  { home, root }: Place,
  { port, databaseUrl, certificates }: { readonly port: number; readonly databaseUrl: string; readonly certificates: string | null },
): SandboxPolicy => {
  const state = realOf(home);

  return {
    read: [
      ...SYSTEM_READ,
      ...allExcept(realOf(root), [state]),
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

/** Files that the operator offers as programs; their kind and digest are checked where they are started. */
const offeredFiles = (state: string): readonly string[] => {
  const list = path.join(state, "keys", "programs.json");
  try {
    return listSchema.parse(JSON.parse(fs.readFileSync(list, "utf8"))).programs.flatMap(({ runs }) => runs.path ?? []);
  } catch {
    // There is none, or one that no runner reads either.
    return [];
  }
};

/**
 * The runner: reads what we may read, because programs of servers can be anywhere, and writes everything but programs: the
 * application, what was built from it, and Node. It executes Node and what the operator offers now; a program that is no script and is
 * offered later takes a restart. A sandbox of its own says what each server executes.
 */
export const buildRunnerPolicy = ({ home, root }: Place): SandboxPolicy => {
  const [state, app] = [realOf(home), realOf(root)];
  const built = path.join(state, "build");

  return {
    read: ["/"],
    execute: [...SYSTEM_EXECUTE, process.execPath, UNSHARE, path.join(state, "programs"), ...offeredFiles(state)],
    write: [...new Set([...allExcept("/", [app, built, process.execPath]), ...allExcept(state, [built])])],
    network: ANY_NETWORK,
    processes: true,
    limits: null,
    capabilities: true,
  };
};

export const WORKER_HEAP_MIB = 512;

const WORKER_LIMITS: ProcessLimits = {
  // Three times the heap, for code, buffers and the stacks of threads.
  memoryBytes: 3 * WORKER_HEAP_MIB * 1_048_576,
  // A worker lives for as long as its workspace has work, so the pool's pings end one that hangs.
  processorSeconds: 315_360_000,
  openFiles: 1_024,
  fileBytes: 0,
  // The kernel counts those of the whole user, so other processes of it may grow meanwhile.
  threads: 4_096,
};

/**
 * A worker: reads Node, its own bundle, packages and certificates; writes nothing, starts nothing. It connects to any port, because
 * models can be anywhere, listens on none, and reaches no local socket.
 */
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
      ...[`${bundle}.map`, path.join(app, "package.json"), ...leash].filter((file) => realPathOf(file) !== null),
      ...allExcept(realOf(path.join(app, "node_modules")), [state]),
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

/** A child may have no more than its host: these bound what all of them may have. */
const TOOL_HOST_LIMITS: ProcessLimits = {
  memoryBytes: 2_048 * 1_048_576,
  // A host lives for as long as its workspace calls tools.
  processorSeconds: 31_536_000,
  openFiles: 4_096,
  fileBytes: 256 * 1_048_576,
  threads: 8_192,
};

type HostedPrograms = {
  /** TCP ports; `any` where the operator gave a program a network. */
  readonly connect: Ports;
  /** Folders of this host and its servers. */
  readonly own: readonly string[];
  readonly read: readonly string[];
  readonly execute: readonly string[];
  readonly write: readonly string[];
};

/**
 * A tool host: the application, the public keys, and the programs that the operator offers. No key, no state of ours, nothing to
 * write but the folders of its servers. Each server has a sandbox of its own inside this one.
 */
export const buildToolHostPolicy = ({ home, root }: Place, { connect, own, read, execute, write }: HostedPrograms): SandboxPolicy => {
  const state = realOf(home);

  return {
    read: [
      ...SYSTEM_READ,
      ...allExcept(realOf(root), [state]),
      ...["build", "keys/public"].map((folder) => path.join(state, folder)),
      ...read,
    ],
    execute: [...new Set([...SYSTEM_EXECUTE, process.execPath, UNSHARE, ...execute])],
    write: [...new Set([...SYSTEM_WRITE, ...own, ...write])],
    network: connect === "any" ? { ...ANY_NETWORK, localSockets: false } : { ...NO_NETWORK, connect, datagrams: true },
    processes: true,
    limits: TOOL_HOST_LIMITS,
    // The launcher of a server needs some of them to give them up.
    capabilities: true,
  };
};
