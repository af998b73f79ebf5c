/** Imports nothing of ours, so that Node runs it directly. */
import { spawnSync } from "node:child_process";
import dgram from "node:dgram";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import koffi from "koffi";

type Targets = Readonly<Record<"home" | "root" | "elsewhere" | "socket" | "abstract", string>> &
  Readonly<Record<"runner" | "victim" | "database" | "web" | "neighbour", number>>;

const { attack, targets } = JSON.parse(process.argv[2] ?? "{}") as { readonly attack: string; readonly targets: Targets };
const { home, root, elsewhere, runner, victim } = targets;

const libc = koffi.load(null);
const SYSCALLS = process.arch === "arm64" ? { io_uring: 425, unshare: 97, socket: 198 } : { io_uring: 425, unshare: 272, socket: 41 };
const [PTRACE_SEIZE, PTRACE_INTERRUPT] = [0x4206, 0x4207];
const [AF_INET, SOCK_STREAM, IPPROTO_MPTCP, MSG_FASTOPEN] = [2, 1, 262, 0x20000000];
const [PR_SET_PDEATHSIG, RLIMIT_NOFILE, CLONE_NEWUSER] = [1, 7, 0x10000000];

/** @throws with the error number */
const native = (result: number): string => {
  if (result < 0) throw new Error(`errno ${koffi.errno()}`);

  return `returned ${result}`;
};

const syscall = libc.func("syscall", "long", ["long", "long", "long", "long", "long"]) as (...given: number[]) => number;

const read = (file: string): string => fs.readFileSync(file, "utf8");

const connect = (to: net.NetConnectOpts): Promise<string> =>
  new Promise((resolve, reject) => {
    const client = net.connect({ ...to, timeout: 2_000 });
    client.once("error", reject);
    client.once("timeout", () => reject(new Error("timeout")));
    client.once("connect", () => client.end("taken", () => resolve("connected")));
  });

const toPort = (port: number): Promise<string> => connect({ port, host: "127.0.0.1" });

const addressOf = (port: number): Buffer => {
  const address = Buffer.alloc(16);
  address.writeUInt16LE(AF_INET, 0);
  address.writeUInt16BE(port, 2);
  address.set([127, 0, 0, 1], 4);

  return address;
};

const datagram = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const sender = dgram.createSocket("udp4");
    sender.once("error", reject);
    sender.send("taken", targets.neighbour, "127.0.0.1", (error) => (error ? reject(error) : resolve("sent")));
  });

const connectMptcp = (): string => {
  const fd = syscall(SYSCALLS.socket, AF_INET, SOCK_STREAM, IPPROTO_MPTCP, 0);
  native(fd);
  const call = libc.func("connect", "int", ["int", "void *", "uint32_t"]) as (fd: number, to: Buffer, size: number) => number;

  return native(call(fd, addressOf(targets.neighbour), 16));
};

const connectWhileSending = (): string => {
  const fd = syscall(SYSCALLS.socket, AF_INET, SOCK_STREAM, 0, 0);
  native(fd);
  const sendto = libc.func("sendto", "long", ["int", "void *", "size_t", "int", "void *", "uint32_t"]) as (...given: unknown[]) => number;

  return native(sendto(fd, Buffer.from("taken"), 5, MSG_FASTOPEN, addressOf(targets.neighbour), 16));
};

const connectAbstract = (): string => {
  const fd = syscall(SYSCALLS.socket, 1, SOCK_STREAM, 0, 0);
  native(fd);
  const address = Buffer.alloc(3 + targets.abstract.length);
  address.writeUInt16LE(1, 0);
  address.write(targets.abstract, 3);
  const call = libc.func("connect", "int", ["int", "void *", "uint32_t"]) as (fd: number, to: Buffer, size: number) => number;

  return native(call(fd, address, address.length));
};

const readMemory = (): string => {
  const call = libc.func("process_vm_readv", "long", ["int", "void *", "ulong", "void *", "ulong", "ulong"]) as (
    ...given: unknown[]
  ) => number;
  const maps = read(`/proc/${runner}/maps`).split("-")[0] ?? "0";
  const [local, remote] = [Buffer.alloc(16), Buffer.alloc(16)];
  const into = Buffer.alloc(64);
  local.writeBigUInt64LE(koffi.address(into), 0);
  local.writeBigUInt64LE(64n, 8);
  remote.writeBigUInt64LE(BigInt(`0x${maps}`), 0);
  remote.writeBigUInt64LE(64n, 8);

  return native(call(runner, local, 1, remote, 1, 0));
};

const writeAll = (text: string): void => {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += fs.writeSync(1, bytes, sent);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
};

const link = (make: (from: string, to: string) => void): string => {
  make(path.join(home, "keys", "signing.key"), "link");

  return read("link");
};

/** Reads inherited descriptors. */
const inherited = (): string => {
  const texts = fs.readdirSync("/proc/self/fd").map((name) => {
    try {
      const bytes = Buffer.alloc(4_096);

      return bytes.toString("utf8", 0, fs.readSync(Number(name), bytes, 0, bytes.length, 0));
    } catch {
      return "";
    }
  });
  const found = texts.join("");
  if (found === "") throw new Error("nothing");

  return found;
};

const spawnMany = (): string => {
  const { error } = spawnSync(process.execPath, ["-e", "0"]);
  if (error) throw error;

  return "spawned";
};

const allocate = (): string => {
  const held: Buffer[] = [];
  // Twice the limit.
  while (held.length < 96) {
    try {
      // The limit counts mapped memory; touching every page takes minutes on a busy machine.
      held.push(Buffer.alloc(33_554_432));
    } catch {
      break;
    }
  }

  return `${held.length * 32} MiB`;
};

const flood = (): string => {
  const fd = fs.openSync("flood", "w");
  const block = Buffer.alloc(16_777_216, 1);
  // Twice the limit, whose signal would end this process first.
  process.on("SIGXFSZ", () => undefined);
  for (let index = 0; index < 32; index += 1) {
    try {
      fs.writeSync(fd, block);
    } catch {
      break;
    }
  }

  return `${fs.fstatSync(fd).size / 1_048_576} MiB`;
};

const openMany = (): string => {
  const held: number[] = [];
  while (held.length < 2_048) {
    try {
      held.push(fs.openSync("/dev/null", "r"));
    } catch {
      break;
    }
  }

  return `${held.length} files`;
};

const spin = (): string => {
  // Asking takes system time.
  while (process.cpuUsage().user < 2_000_000) for (let turn = 0; turn < 1_000_000; turn += 1);

  return "2 s";
};

const startThreads = (): string => {
  const attributes = Buffer.alloc(64);
  (libc.func("pthread_attr_init", "int", ["void *"]) as (given: Buffer) => number)(attributes);
  (libc.func("pthread_attr_setstacksize", "int", ["void *", "size_t"]) as (given: Buffer, bytes: number) => number)(attributes, 16_384);
  const create = libc.func("pthread_create", "int", ["void *", "void *", "void *", "void *"]) as (...given: unknown[]) => number;
  const sleep: unknown = libc.symbol("pause", "void *");
  let count = 0;
  while (count < 2_000 && create(Buffer.alloc(8), attributes, sleep, null) === 0) count += 1;

  return `${count} threads`;
};

const floodOutput = (): string => {
  const block = `${JSON.stringify({ jsonrpc: "2.0", method: "attack/noise", params: { text: "x".repeat(200_000) } })}\n`;
  for (let index = 0; index < 672; index += 1) writeAll(block);

  return "128 MiB";
};

/** Only servers with named hosts have one. */
const throughProxy = (authority: string): Promise<string> => {
  // oxlint-disable-next-line node/no-process-env -- a foreign program
  const proxy = URL.parse(process.env["HTTPS_PROXY"] ?? "");
  if (!proxy) return toPort(targets.neighbour);

  return new Promise((resolve, reject) => {
    const token = Buffer.from(`${proxy.username}:${proxy.password}`).toString("base64");
    const client = net.connect(Number(proxy.port), "127.0.0.1", () =>
      client.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: Basic ${token}\r\n\r\n`),
    );
    client.once("error", reject);
    client.once("data", (answer: Buffer) => {
      const [, status = ""] = answer.toString("latin1").split(" ");
      if (status === "200") client.end("taken", () => resolve("connected"));
      else reject(Object.assign(new Error("refused"), { code: status === "403" ? "EACCES" : `status ${status}` }));
    });
  });
};

const otherScratch = (): string => {
  const folders = fs.readdirSync(path.join(home, "scratch"));

  return folders
    .map((name) => path.join(home, "scratch", name, "secret"))
    .flatMap((file) => (fs.existsSync(file) ? [read(file)] : []))
    .join("");
};

/** `process.execve` ends the process on failure. */
const become = (program: string): string => {
  const execv = libc.func("execv", "int", ["str", "const char **"]) as (file: string, args: readonly (string | null)[]) => number;

  return native(execv(program, [program, "--version", null]));
};

const ATTACKS: Readonly<Record<string, () => Promise<string> | string | number | boolean | void>> = {
  "read signing.key": () => read(path.join(home, "keys", "signing.key")),
  "read session.key": () => read(path.join(home, "keys", "session.key")),
  "read vault.key": () => read(path.join(home, "keys", "vault.key")),
  "read database.json": () => read(path.join(home, "database.json")),
  "read the runner's environment": () => read(`/proc/${runner}/environ`),
  "open the runner's memory": () => fs.openSync(`/proc/${runner}/mem`, "r+"),
  "read the runner's memory": readMemory,
  "open the runner's descriptors": () => fs.readdirSync(`/proc/${runner}/fd`).join(" "),
  "trace a process of the same user": () => {
    native(syscall(process.arch === "arm64" ? 117 : 101, PTRACE_SEIZE ?? 0, victim, 0, 0));

    return native(syscall(process.arch === "arm64" ? 117 : 101, PTRACE_INTERRUPT ?? 0, victim, 0, 0));
  },
  "connect to the database": () => toPort(targets.database),
  "connect to the web process": () => toPort(targets.web),
  "connect to a neighbour": () => toPort(targets.neighbour),
  "connect to the cloud's metadata": () => connect({ port: 80, host: "169.254.169.254" }),
  "send a datagram": datagram,
  "connect to a local service by a socket": () => connect({ path: targets.socket }),
  "connect to an abstract socket": connectAbstract,
  "connect past the ports by another protocol": connectMptcp,
  "connect past the ports while sending": connectWhileSending,
  "reach this machine through the proxy": () => throughProxy(`127.0.0.1:${targets.neighbour}`),
  "reach a host that was not offered through the proxy": () => throughProxy(`localhost:${targets.neighbour}`),
  "connect past the proxy": () => toPort(targets.neighbour),
  "open files without end": openMany,
  "use the processor without end": spin,
  "start threads without end": startThreads,
  "flood the output": floodOutput,
  "write the runner's bundle": () => fs.appendFileSync(path.join(home, "build", "runner.mjs"), "taken"),
  "plant an install script": () => fs.writeFileSync(path.join(root, "node_modules", ".hooks-taken"), "taken"),
  "write into the user's folder": () => fs.writeFileSync(path.join(elsewhere, "autostart"), "taken"),
  "read a key over a symbolic link": () => link(fs.symlinkSync),
  "read a key over a hard link": () => link(fs.linkSync),
  "read a key by /proc/self/root": () => read(`/proc/self/root${home}/keys/signing.key`),
  "read a key by /proc/self/cwd": () => read(`/proc/self/cwd/../../keys/signing.key`),
  "read an inherited descriptor": inherited,
  "read another server's folder": otherScratch,
  "start processes": spawnMany,
  "take all memory": allocate,
  "write a file without end": flood,
  "become a set-user-id program": () => become("/usr/bin/su"),
  "become a shell": () => become("/bin/sh"),
  "end a process of the same user": () => process.kill(victim, "SIGKILL"),
  "take a process's descriptors away": () => {
    const prlimit = libc.func("prlimit", "int", ["int", "int", "void *", "void *"]) as (...given: unknown[]) => number;

    return native(prlimit(victim, RLIMIT_NOFILE, Buffer.alloc(16), null));
  },
  "outlive the runner": () =>
    native((libc.func("prctl", "int", ["int", "ulong"]) as (...given: number[]) => number)(PR_SET_PDEATHSIG ?? 0, 0)),
  "enter a namespace": () => native(syscall(SYSCALLS.unshare, CLONE_NEWUSER ?? 0, 0, 0, 0)),
  "open an io_uring": () => {
    const setup = libc.func("syscall", "long", ["long", "uint32_t", "void *"]) as (...given: unknown[]) => number;

    return native(setup(SYSCALLS.io_uring, 4, Buffer.alloc(120)));
  },
};

const tell = (said: { readonly begun: true } | { readonly done: string } | { readonly failed: string }): void =>
  writeAll(`${JSON.stringify({ jsonrpc: "2.0", method: "attack/said", params: said })}\n`);

tell({ begun: true });
try {
  tell({ done: String((await ATTACKS[attack]?.()) ?? "done") });
} catch (error) {
  tell({ failed: error instanceof Error && "code" in error ? String(error.code) : String(error) });
}
process.exit(0);
