/** Landlock rules in the kernel's numbers (linux/landlock.h). */

/** @typedef {import("../policy.ts").SandboxPolicy} SandboxPolicy */
/** @typedef {{ readonly path: string, readonly access: number }} PathRule */
/** @typedef {{ readonly port: number, readonly access: number }} PortRule */
/** @typedef {{ readonly fs: number, readonly net: number, readonly scoped: number, readonly paths: readonly PathRule[], readonly ports: readonly PortRule[] }} Ruleset */

const EXECUTE = 1;
const WRITE_FILE = 2;
const READ_FILE = 4;
const READ_DIR = 8;
const REFER = 1 << 13;
const TRUNCATE = 1 << 14;
const IOCTL_DEV = 1 << 15;

/** Removal and creation rights, bits 4 to 12, except devices. */
const MAKE_CHAR = 1 << 6;
const MAKE_BLOCK = 1 << 11;
const ALL_OF_ABI_1 = (1 << 13) - 1;
const READ = READ_FILE | READ_DIR;

const BIND_TCP = 1;
const CONNECT_TCP = 2;
const SCOPE_ABSTRACT_SOCKETS = 1;
const SCOPE_SIGNALS = 2;

/** The kernel rejects other rights for a regular file. */
export const FILE_ACCESS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;

/** @param {number} abi */
const handledFs = (abi) => ALL_OF_ABI_1 | (abi >= 2 ? REFER : 0) | (abi >= 3 ? TRUNCATE : 0) | (abi >= 5 ? IOCTL_DEV : 0);

/**
 * @param {import("../policy.ts").Ports} ports
 * @param {number} access
 * @returns {readonly PortRule[]}
 */
const portRules = (ports, access) => (ports === "any" ? [] : ports.map((port) => ({ port, access })));

/**
 * Builds the strictest ruleset of this ABI.
 * @param {SandboxPolicy} policy
 * @param {number} abi at least 1
 * @returns {Ruleset}
 */
export const buildRuleset = ({ read, execute, write, network }, abi) => {
  const fs = handledFs(abi);
  const change = fs & ~(EXECUTE | MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV);
  const net = abi < 4 ? 0 : (network.listen === "any" ? 0 : BIND_TCP) | (network.connect === "any" ? 0 : CONNECT_TCP);

  return {
    fs,
    net,
    scoped: abi < 6 ? 0 : SCOPE_SIGNALS | (network.localSockets ? 0 : SCOPE_ABSTRACT_SOCKETS),
    paths: [
      ...read.map((path) => ({ path, access: READ })),
      ...execute.map((path) => ({ path, access: READ | EXECUTE })),
      ...write.map((path) => ({ path, access: change })),
    ],
    ports: net === 0 ? [] : [...portRules(network.listen, BIND_TCP), ...portRules(network.connect, CONNECT_TCP)],
  };
};
