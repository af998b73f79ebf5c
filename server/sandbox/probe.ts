import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { NO_NETWORK, type SandboxPolicy } from "./policy.ts";
import { findPackage } from "./paths.ts";
import { spawnSandboxed } from "./spawn.ts";
import { SERVER_LIMITS } from "./server-policy.ts";
import { SERVER_USERS } from "./users.ts";
import { SYSTEM_EXECUTE, SYSTEM_READ, SYSTEM_WRITE } from "./system-files.ts";

const TIMEOUT_MS = 20_000;

/** Must fail per layer. With `ports`, one local port is allowed. */
const ATTEMPTS = {
  files: ["read_key", "read_key_by_proc", "write_beside_key"],
  network: ["connect", "connect_socket", "datagram"],
  ports: ["connect"],
  memory: ["environ", "memory", "ptrace"],
  signals: ["signal", "limits"],
  processes: ["start_process"],
  privileges: ["gain_privileges"],
  namespace: ["share_network"],
  identity: ["share_user"],
} as const;

/** As in lib/mcp/isolation, which the start cannot load. */
type Layer = keyof typeof ATTEMPTS;
export type Probed = {
  readonly holds: Layer[];
  readonly reason: string | null;
};

const CLOSED: readonly Layer[] = ["files", "network", "memory", "signals", "processes", "privileges"];
const LAYERS: readonly Layer[] = ["files", "network", "ports", "memory", "signals", "processes", "privileges", "namespace", "identity"];

const FURTHER = ["namespace", "identity"] as const;

const DENIED = new Set(["EACCES", "EPERM"]);

const resultsSchema = z.record(z.string(), z.string());

const none = (reason: string): Probed => ({ holds: [], reason });

const openTargets = async (folder: string) => {
  const key = path.join(folder, "probe.key");
  const socket = path.join(folder, "socket");
  fs.writeFileSync(key, randomBytes(16), { mode: 0o600 });
  const servers = [net.createServer(), net.createServer(), net.createServer()] as const;
  const [denied, allowed, local] = servers;
  const listening = (server: net.Server, listen: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.once("listening", resolve);
      listen();
    });
  await listening(denied, () => denied.listen(0, "127.0.0.1"));
  await listening(allowed, () => allowed.listen(0, "127.0.0.1"));
  // A sandbox denies the attempt before a too long path matters.
  await listening(local, () => local.listen(socket)).catch(() => undefined);
  const portOf = (server: net.Server): number => {
    const address = server.address();

    return typeof address === "object" && address !== null ? address.port : 0;
  };

  return { key, socket, port: portOf(denied), allowedPort: portOf(allowed), close: () => servers.forEach((server) => server.close()) };
};

const attemptsFile = (root: string): string => path.join(root, "server", "sandbox", "launcher", "attempts.mjs");

const policyOf = (root: string, more: Pick<SandboxPolicy, "network"> & Partial<SandboxPolicy>): SandboxPolicy => ({
  read: [
    ...SYSTEM_READ,
    path.join(root, "server", "sandbox", "launcher"),
    path.join(root, "package.json"),
    ...["koffi", "@koromix"].flatMap((name) => findPackage(root, name) ?? []),
  ],
  execute: [...SYSTEM_EXECUTE, process.execPath],
  write: SYSTEM_WRITE,
  processes: false,
  limits: SERVER_LIMITS,
  capabilities: false,
  ...more,
});

type Results = Readonly<Record<string, string>>;

const attempt = async (root: string, targets: object, policy: SandboxPolicy): Promise<Results> => {
  const args = [attemptsFile(root), JSON.stringify(targets)];
  const spec = { command: process.execPath, args, env: {}, cwd: "/", policy, parentPid: process.pid };
  const child = spawnSandboxed(root, spec, ["ignore", "pipe", "pipe"]);
  const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
  try {
    await once(child, "spawn");
    const [said, complaint] = await Promise.all([child.stdout ? text(child.stdout) : "", child.stderr ? text(child.stderr) : ""]);
    if (said === "") throw new Error(complaint.split("\n").find((line) => line.includes("Error")) ?? "the launcher ended at once");

    return resultsSchema.parse(JSON.parse(said));
  } finally {
    clearTimeout(timer);
  }
};

const hasDenied = (results: Results, layer: Layer): boolean => ATTEMPTS[layer].every((name) => DENIED.has(results[name] ?? "not tried"));

const probeFurther = async (root: string, targets: object, uid: number): Promise<readonly Layer[]> => {
  const tryWith = (more: Partial<SandboxPolicy>): Promise<Results> =>
    // An incapable launcher ends without a result.
    attempt(root, targets, policyOf(root, { network: NO_NETWORK, ...more })).catch(() => ({}));
  const user = process.geteuid?.() === 0 ? { user: { uid, groups: [] } } : {};
  const both = await tryWith({ namespace: true, ...user });
  const held = FURTHER.filter((layer) => hasDenied(both, layer));
  if (Object.keys(both).length > 0 || !user.user) return held;
  const [alone, named] = await Promise.all([tryWith({ namespace: true }), tryWith(user)]);

  return FURTHER.filter((layer) => hasDenied(layer === "namespace" ? alone : named, layer));
};

const probe = async (root: string, place: string, uid: number): Promise<Probed> => {
  if (process.platform !== "linux") return none(`Isolation needs Linux; this is ${os.type()}.`);
  fs.mkdirSync(place, { recursive: true, mode: 0o700 });
  const folder = fs.mkdtempSync(path.join(place, "probe-"));
  try {
    const { close, allowedPort, ...targets } = await openTargets(folder);
    try {
      const given = { ...targets, pid: process.pid, network: fs.readlinkSync("/proc/self/ns/net"), uid };
      const onePort = policyOf(root, { network: { ...NO_NETWORK, connect: [allowedPort] } });
      const [closed, opened, allowed, further] = await Promise.all([
        attempt(root, given, policyOf(root, { network: NO_NETWORK })),
        attempt(root, given, onePort),
        attempt(root, { ...given, port: allowedPort }, onePort),
        probeFurther(root, given, uid),
      ]);
      const hasPorts = hasDenied(opened, "ports") && allowed["connect"] === "done";
      const held = CLOSED.filter((layer) => hasDenied(closed, layer));
      const all: readonly Layer[] = held.length === 0 ? [] : [...held, ...(hasPorts ? (["ports"] as const) : []), ...further];
      const holds = LAYERS.filter((layer) => all.includes(layer));

      return { holds, reason: holds.length === 0 ? "The kernel has neither Landlock nor seccomp." : null };
    } finally {
      close();
    }
  } catch (error) {
    return none(`The launcher does not start: ${error instanceof Error ? error.message.slice(0, 200) : "unknown"}`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

const known = new Map<string, Promise<Probed>>();

/** Probes the sandbox from inside, once. @param root the application's folder @param uid unused, for root */
export const probeIsolation = (root: string, place: string, uid = SERVER_USERS.first): Promise<Probed> => {
  const asked = known.get(root) ?? probe(root, place, uid);
  known.set(root, asked);

  return asked;
};
