/** System calls of the launcher; each succeeds or throws. */
import fs from "node:fs";
import { getSystemErrorName } from "node:util";
import koffi from "koffi";
import { FILE_ACCESS } from "./landlock.mjs";

const LANDLOCK_CREATE_RULESET = 444;
const LANDLOCK_ADD_RULE = 445;
const LANDLOCK_RESTRICT_SELF = 446;
const VERSION_ONLY = 1;
const RULE_PATH_BENEATH = 1;
const RULE_NET_PORT = 2;
const O_PATH = 0x200000;

const PR_SET_PDEATHSIG = 1;
const PR_SET_SECCOMP = 22;
const PR_CAPBSET_DROP = 24;
const PR_SET_NO_NEW_PRIVS = 38;
const SECCOMP_MODE_FILTER = 2;
const SIGKILL = 9;
const CLONE_NEWNET = 0x40000000;
const CLOSE_RANGE = 436;
const CLOSE_ON_EXEC = 4;
const F_SETFD = 2;
const LAST_DESCRIPTOR = 0xffffffff;

/** Files in a group's folder are for that group only. */
const OTHERS_NOTHING = 0o007;

const RLIMIT_CORE = 4;
/** Numbers of setrlimit. */
const RESOURCES = /** @type {const} */ ({ processorSeconds: 0, fileBytes: 1, memoryBytes: 2, openFiles: 7 });
const RLIMIT_NPROC = 6;

const libc = koffi.load(null);
const filterProgram = koffi.struct({ length: "uint16_t", filter: "void *" });
/** @type {(number: number, attributes: Buffer | null, size: number, flags: number) => number} */
const createRuleset = libc.func("syscall", "long", ["long", "void *", "size_t", "uint32_t"]);
/** @type {(number: number, ruleset: number, kind: number, rule: Buffer, flags: number) => number} */
const addRule = libc.func("syscall", "long", ["long", "int", "int", "void *", "uint32_t"]);
/** @type {(number: number, first: number, last: number, flags: number) => number} */
const callNumbers = libc.func("syscall", "long", ["long", "uint32_t", "uint32_t", "uint32_t"]);
/** @type {(option: number, a: number, b: number, c: number, d: number) => number} */
const prctl = libc.func("prctl", "int", ["int", "ulong", "ulong", "ulong", "ulong"]);
/** @type {(option: number, mode: number, program: { length: number, filter: Buffer }) => number} */
const prctlFilter = libc.func("prctl", "int", ["int", "ulong", koffi.pointer(filterProgram)]);
/** @type {(fd: number, command: number, argument: number) => number} */
const fcntl = libc.func("fcntl", "int", ["int", "int", "int"]);
/** @type {(flags: number) => number} */
const unshare = libc.func("unshare", "int", ["int"]);
/** @type {(resource: number, limit: Buffer) => number} */
const getrlimit = libc.func("getrlimit", "int", ["int", "void *"]);
/** @type {(resource: number, limit: Buffer) => number} */
const setrlimit = libc.func("setrlimit", "int", ["int", "void *"]);

/**
 * @param {string} what
 * @param {number} result
 */
const check = (what, result) => {
  if (result < 0) throw new Error(`${what} failed with ${getSystemErrorName(-koffi.errno())}`);

  return result;
};

/** Landlock's version; 0 without it. */
export const landlockAbi = () => Math.max(0, createRuleset(LANDLOCK_CREATE_RULESET, null, 0, VERSION_ONLY));

export const denyNewPrivileges = () => void check("no_new_privs", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));

export const dieWithParent = () => void check("the parent's death signal", prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));

/** Keeps root's execve from gaining capabilities. */
export const dropCapabilities = () => {
  // Stops at the first number unknown to this kernel.
  for (let capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) === 0; capability += 1);
};

/** Enters a network namespace with only a downed loopback. Root only. */
export const leaveNetwork = () => void check("unshare", unshare(CLONE_NEWNET));

/** Closes descriptors after stdio on execve. */
export const closeInherited = () => void check("close_range", callNumbers(CLOSE_RANGE, 3, LAST_DESCRIPTOR, CLOSE_ON_EXEC));

/** Keeps a descriptor open over execve. @param {number} fd */
export const keepDescriptor = (fd) => void check("fcntl", fcntl(fd, F_SETFD, 0));

/**
 * @param {number} resource
 * @param {number} value
 */
const limit = (resource, value) => {
  const buffer = Buffer.alloc(16);
  check("getrlimit", getrlimit(resource, buffer));
  const allowed = buffer.readBigUInt64LE(8);
  const wanted = BigInt(value) < allowed ? BigInt(value) : allowed;
  buffer.writeBigUInt64LE(wanted, 0);
  buffer.writeBigUInt64LE(wanted, 8);
  check("setrlimit", setrlimit(resource, buffer));
};

/** Core files would contain the process's secrets. */
export const denyCoreFiles = () => limit(RLIMIT_CORE, 0);

/** @param {import("../policy.ts").ProcessLimits} limits */
export const applyLimits = (limits) => {
  for (const [name, resource] of Object.entries(RESOURCES)) limit(resource, limits[/** @type {keyof typeof RESOURCES} */ (name)]);
};

/** @param {number} pid */
const threadsOf = (pid) => {
  try {
    // Each thread is a folder, besides the two links that every folder has.
    return fs.statSync(`/proc/${pid}`).uid === process.getuid?.() ? fs.statSync(`/proc/${pid}/task`).nlink - 2 : 0;
  } catch {
    return 0;
  }
};

/** Counts the user's threads like the kernel. Call before rules hide processes. */
export const countThreads = () =>
  fs.readdirSync("/proc").reduce((sum, name) => (/^\d+$/u.test(name) ? sum + threadsOf(Number(name)) : sum), 0);

/** @param {number} threads of the user, running ones included; root is exempt */
export const limitThreads = (threads) => limit(RLIMIT_NPROC, threads);

/** Becomes an unprivileged user. @param {import("../policy.ts").ProcessUser} user */
export const becomeUser = ({ uid, groups }) => {
  process.setgroups?.([...groups]);
  process.setgid?.(uid);
  process.setuid?.(uid);
  process.umask(OTHERS_NOTHING);
  if (process.getuid?.() !== uid || process.geteuid?.() !== uid) throw new Error("this process did not become another user");
};

/**
 * @param {number} ruleset
 * @param {import("./landlock.mjs").PathRule} rule
 */
const addPath = (ruleset, { path, access }) => {
  let fd;
  try {
    fd = fs.openSync(path, O_PATH);
  } catch {
    // A missing path stays denied.
    return;
  }
  const attributes = Buffer.alloc(12);
  attributes.writeBigUInt64LE(BigInt(fs.fstatSync(fd).isDirectory() ? access : access & FILE_ACCESS), 0);
  attributes.writeInt32LE(fd, 8);
  check(`the rule for ${path}`, addRule(LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, attributes, 0));
  fs.closeSync(fd);
};

/** @param {import("./landlock.mjs").Ruleset} ruleset */
export const applyRuleset = ({ fs: handledFs, net, scoped, paths, ports }) => {
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(BigInt(handledFs), 0);
  attributes.writeBigUInt64LE(BigInt(net), 8);
  attributes.writeBigUInt64LE(BigInt(scoped), 16);
  const ruleset = check("landlock_create_ruleset", createRuleset(LANDLOCK_CREATE_RULESET, attributes, sizeOf(net, scoped), 0));

  for (const rule of paths) addPath(ruleset, rule);
  for (const { port, access } of ports) {
    const rule = Buffer.alloc(16);
    rule.writeBigUInt64LE(BigInt(access), 0);
    rule.writeBigUInt64LE(BigInt(port), 8);
    check(`the rule for port ${port}`, addRule(LANDLOCK_ADD_RULE, ruleset, RULE_NET_PORT, rule, 0));
  }
  check("landlock_restrict_self", callNumbers(LANDLOCK_RESTRICT_SELF, ruleset, 0, 0));
  fs.closeSync(ruleset);
};

/**
 * Kernels refuse longer attributes than they know, unless the rest is zero.
 * @param {number} net
 * @param {number} scoped
 */
const sizeOf = (net, scoped) => (scoped !== 0 ? 24 : net !== 0 ? 16 : 8);

/** @param {Buffer} filter */
export const applyFilter = (filter) =>
  void check("seccomp", prctlFilter(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, { length: filter.length / 8, filter }));
