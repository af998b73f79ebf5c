import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import type { Identity } from "./identity.ts";
import { watchServer } from "./watchdog.ts";

export type ClusterPlace = {
  readonly dataDir: string;
  readonly native: string;
  readonly identity: Identity | null;
  /** Removed when the supervisor is killed. */
  readonly temporaryFolder?: string;
};

export type Stop = () => Promise<void>;
export type Cluster = { readonly port: number; readonly process: ChildProcess; readonly stop: Stop };

const startTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;
const logTailChars = 4000;

const program = (place: ClusterPlace, name: string): string => path.join(place.native, "bin", name);

const asUser = (place: ClusterPlace) => (place.identity === null ? {} : { uid: place.identity.uid, gid: place.identity.gid });

// Messages must be in one language.
const quietEnv: NodeJS.ProcessEnv = { NODE_ENV: process.env.NODE_ENV, PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" };

const owned = (place: ClusterPlace, file: string): void => {
  if (place.identity !== null) fs.chownSync(file, place.identity.uid, place.identity.gid);
};

/** Makes a data directory with superuser `countersign`. @throws with initdb's words */
export const initCluster = async (place: ClusterPlace, password: string, signal?: AbortSignal): Promise<void> => {
  fs.mkdirSync(place.dataDir, { recursive: true, mode: 0o700 });
  owned(place, place.dataDir);

  // The system's temporary folder can differ between the users.
  const passwordFile = `${place.dataDir}.${randomBytes(6).toString("hex")}`;

  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  owned(place, passwordFile);
  try {
    await new Promise<void>((resolve, reject) => {
      const flags = ["--auth=scram-sha-256", "--username=countersign", "--encoding=UTF8", "--locale=C", "--no-instructions"];
      const child = spawn(program(place, "initdb"), [`--pgdata=${place.dataDir}`, `--pwfile=${passwordFile}`, ...flags], {
        ...asUser(place),
        cwd: place.native,
        env: quietEnv,
        stdio: ["ignore", "ignore", "pipe"],
        ...(signal && { signal }),
      });
      let words = "";

      child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString("utf8")));
      child.once("error", reject);
      child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(words.trim() || `initdb ended with ${code}`))));
    });
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
};

/** Finds a free loopback port. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = net.createServer();

    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();

      probe.close(() => (address !== null && typeof address === "object" ? resolve(address.port) : reject(new Error("no free port"))));
    });
  });

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((resolve) => child.once("exit", () => resolve()));

const stopServer = async (child: ChildProcess): Promise<void> => {
  // Ends sessions, keeps everything committed.
  child.kill("SIGINT");
  const force = setTimeout(() => child.kill("SIGQUIT"), stopTimeoutMs);

  await ended(child);
  clearTimeout(force);
};

/**
 * Starts a server and waits for connections.
 * @param onSpawned gets a function that stops it
 * @throws with its last words
 */
export const startCluster = async (
  place: ClusterPlace,
  settings: Readonly<Record<string, string>> = {},
  onSpawned?: (stop: Stop) => void,
): Promise<Cluster> => {
  const port = Number(settings["port"] ?? (await freePort()));
  const all = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", max_connections: "100", ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(program(place, "postgres"), ["-D", place.dataDir, ...flags], {
    ...asUser(place),
    cwd: place.native,
    env: quietEnv,
    // Ctrl-C must reach only the supervisor.
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });

  const endWatch = child.pid === undefined ? null : watchServer(child.pid, place.temporaryFolder ?? null);
  const stop = (): Promise<void> => stopServer(child);

  child.once("exit", () => endWatch?.());

  onSpawned?.(stop);
  await new Promise<void>((resolve, reject) => {
    let tail = "";
    const timer = setTimeout(() => {
      child.kill("SIGQUIT");
      reject(new Error(`Postgres did not start within ${startTimeoutMs / 1000} s: ${tail}`));
    }, startTimeoutMs);

    child.stderr.on("data", (chunk: Buffer) => {
      tail = (tail + chunk.toString("utf8")).slice(-logTailChars);
      if (!tail.includes("database system is ready to accept connections")) return;
      clearTimeout(timer);
      resolve();
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("exit", () => {
      clearTimeout(timer);
      reject(new Error(tail.trim() || "Postgres ended at once"));
    });
  });

  return { port, process: child, stop };
};
