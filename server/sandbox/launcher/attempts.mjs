/** Attempts everything that a sandbox must deny, and prints error codes as JSON. */
import { spawnSync } from "node:child_process";
import dgram from "node:dgram";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import koffi from "koffi";

/** `network`: the namespace to leave; `uid`: the user to become. */
/** @typedef {{ readonly key: string, readonly pid: number, readonly port: number, readonly socket: string, readonly network: string, readonly uid: number }} Targets */

const PTRACE_SEIZE = 0x4206;
const RLIMIT_NOFILE = 7;
const EPERM = 1;

const { key, pid, port, socket, network, uid } = /** @type {Targets} */ (JSON.parse(process.argv[2] ?? "{}"));
const libc = koffi.load(null);
/** @type {(request: number, pid: number, address: number, data: number) => number} */
const ptrace = libc.func("ptrace", "long", ["long", "long", "long", "long"]);
/** @type {(pid: number, resource: number, next: null, old: Buffer) => number} */
const prlimit = libc.func("prlimit", "int", ["int", "int", "void *", "void *"]);

/** @param {number} result */
const native = (result) => {
  if (result < 0) throw Object.assign(new Error("refused"), { code: koffi.errno() === EPERM ? "EPERM" : `errno ${koffi.errno()}` });
};

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && "code" in error ? String(error.code) : "unknown");

/**
 * @param {net.NetConnectOpts} to
 * @returns {Promise<void>}
 */
const connect = (to) =>
  new Promise((resolve, reject) => {
    const client = net.connect(to);
    client.once("error", reject);
    client.once("connect", () => {
      client.destroy();
      resolve();
    });
  });

/** @returns {Promise<void>} */
const sendDatagram = () =>
  new Promise((resolve, reject) => {
    const sender = dgram.createSocket("udp4");
    sender.once("error", reject);
    sender.send("x", port, "127.0.0.1", (error) => {
      sender.close();
      if (error) reject(error);
      else resolve();
    });
  });

/** @param {boolean} holds */
const refuseIf = (holds) => {
  if (holds) throw Object.assign(new Error("held"), { code: "EPERM" });
};

/** @type {Readonly<Record<string, () => unknown>>} */
const attempts = {
  read_key: () => fs.readFileSync(key),
  read_key_by_proc: () => fs.readFileSync(`/proc/self/root${key}`),
  write_beside_key: () => fs.writeFileSync(path.join(path.dirname(key), "planted"), ""),
  connect: () => connect({ port, host: "127.0.0.1" }),
  connect_socket: () => connect({ path: socket }),
  datagram: sendDatagram,
  environ: () => fs.readFileSync(`/proc/${pid}/environ`),
  memory: () => fs.openSync(`/proc/${pid}/mem`, "r"),
  ptrace: () => native(ptrace(PTRACE_SEIZE, pid, 0, 0)),
  signal: () => process.kill(pid, 0),
  limits: () => native(prlimit(pid, RLIMIT_NOFILE, null, Buffer.alloc(16))),
  start_process: () => {
    const { error } = spawnSync(process.execPath, ["--version"]);
    if (error) throw error;
  },
  // Set-user-id programs are ineffective with this flag.
  gain_privileges: () => refuseIf(/^NoNewPrivs:\s+1$/mu.test(fs.readFileSync("/proc/self/status", "utf8"))),
  share_network: () => refuseIf(fs.readlinkSync("/proc/self/ns/net") !== network),
  share_user: () => refuseIf([process.getuid?.(), process.geteuid?.(), process.getgid?.()].every((each) => each === uid)),
};

/** @type {Record<string, string>} */
const results = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    results[name] = "done";
  } catch (error) {
    results[name] = codeOf(error);
  }
}
fs.writeSync(1, JSON.stringify(results));
