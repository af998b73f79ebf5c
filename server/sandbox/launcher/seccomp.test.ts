/** Interprets the filter like the kernel. */
import { describe, expect, it } from "vitest";
import { ANY_NETWORK, NO_NETWORK, type NetworkPolicy, type SandboxPolicy } from "@/server/sandbox/policy";
import { buildFilter } from "./seccomp.mjs";
import { architectureOf } from "./syscalls.mjs";

const PID = 4242;
const X64 = 0xc000003e;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;

const policyWith = (more: Partial<SandboxPolicy>): SandboxPolicy => ({
  read: [],
  execute: [],
  write: [],
  network: NO_NETWORK,
  processes: false,
  limits: null,
  capabilities: false,
  ...more,
});

type Call = { readonly number: number; readonly arguments?: readonly number[]; readonly audit?: number };

const verdictOf = (filter: Buffer, { number, arguments: given = [], audit = X64 }: Call): number => {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(audit, 4);
  for (const [index, value] of given.entries()) data.writeUInt32LE(value >>> 0, 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const [code, ifTrue, ifFalse, value] = [
      filter.readUInt16LE(at * 8),
      ...filter.subarray(at * 8 + 2, at * 8 + 4),
      filter.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x54) accumulator = (accumulator & (value ?? 0)) >>> 0;
    else if (code === 0x15) at += (accumulator === value ? ifTrue : ifFalse) ?? 0;
    else if (code === 0x35) at += (accumulator >= (value ?? 0) ? ifTrue : ifFalse) ?? 0;
    else if (code === 0x06) return value ?? -1;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error("the filter has no end");
};

const filterOf = (policy: SandboxPolicy, arch = "x64"): Buffer => {
  const architecture = architectureOf(arch);
  if (!architecture) throw new Error(arch);

  return buildFilter(policy, architecture, PID);
};

const says = (policy: SandboxPolicy, number: number, ...given: number[]): number =>
  verdictOf(filterOf(policy), { number, arguments: given });

const [READ, MMAP, SENDTO, CLONE, KILL_CALL, PTRACE, PRCTL, SOCKET, CLONE3, PRLIMIT] = [0, 9, 44, 56, 62, 101, 157, 41, 435, 302];
const UNSHARE = 272;
const [INET, UNIX, NETLINK, STREAM, DATAGRAM, MPTCP] = [2, 1, 16, 1, 2, 262];

describe("a process that is alone", () => {
  const alone = policyWith({});

  it("reads and makes threads, but no processes", () => {
    expect(says(alone, READ)).toBe(ALLOW);
    expect(says(alone, CLONE, 0x003d0f00)).toBe(ALLOW);
    expect(says(alone, CLONE, 0x01200011)).toBe(EPERM);
    expect(says(alone, CLONE3)).toBe(ENOSYS);
  });

  it("signals only itself and keeps its parent-death signal", () => {
    expect([PID, PID + 1, -1, 0].map((pid) => says(alone, KILL_CALL, pid))).toEqual([ALLOW, EPERM, EPERM, EPERM]);
    expect([says(alone, PRCTL, 1), says(alone, PRCTL, 15)]).toEqual([EPERM, ALLOW]);
  });

  it("shares no memory outside its limit", () => {
    expect([0x22, 0x01, 0x21].map((flags) => says(alone, MMAP, 0, 4096, 3, flags))).toEqual([ALLOW, ALLOW, EPERM]);
  });
});

it("unshares the network where it starts others, and enters no other namespace", () => {
  const flags = [0x40000000, 0x50000000, 0x10000000, 0x20000, 0x40020000, 0x60000000];
  expect(flags.map((each) => says(policyWith({ processes: true }), UNSHARE, each))).toEqual([ALLOW, ALLOW, EPERM, EPERM, EPERM, EPERM]);
  expect(flags.map((each) => says(policyWith({}), UNSHARE, each))).toEqual(flags.map(() => EPERM));
});

it("no process reads another's memory or changes its limits", () => {
  for (const processes of [true, false]) {
    expect(says(policyWith({ processes }), PTRACE)).toBe(EPERM);
    expect([0, PID, PID + 1].map((pid) => says(policyWith({ processes }), PRLIMIT, pid))).toEqual([ALLOW, ALLOW, EPERM]);
  }
});

describe("sockets", () => {
  const socket = (network: NetworkPolicy, ...given: number[]) => says(policyWith({ network }), SOCKET, ...given);
  const onePort = { ...NO_NETWORK, connect: [5432] };

  it("are denied without a network", () => {
    expect(
      [
        [INET, STREAM],
        [INET, DATAGRAM],
        [UNIX, STREAM],
      ].map((given) => socket(NO_NETWORK, ...given)),
    ).toEqual([EPERM, EPERM, EPERM]);
  });

  it("are TCP only with named ports, because Landlock checks only TCP", () => {
    expect(
      [
        [INET, STREAM, 0],
        [INET, STREAM, 6],
        [INET, STREAM | 0x80000, 0],
      ].map((given) => socket(onePort, ...given)),
    ).toEqual([ALLOW, ALLOW, ALLOW]);
    expect(
      [
        [INET, DATAGRAM],
        [INET, STREAM, MPTCP],
        [UNIX, STREAM],
        [NETLINK, 3],
      ].map((given) => socket(onePort, ...given)),
    ).toEqual(Array.from({ length: 4 }, () => EPERM));
  });

  it("do not connect while sending, which Landlock misses", () => {
    expect([0, 0x4000, 0x20000000].map((flags) => says(policyWith({ network: onePort }), SENDTO, 3, 0, 0, flags))).toEqual([
      ALLOW,
      ALLOW,
      EPERM,
    ]);
  });

  it("are unrestricted with local sockets", () => {
    expect(
      [
        [UNIX, STREAM],
        [INET, STREAM, MPTCP],
      ].map((given) => socket(ANY_NETWORK, ...given)),
    ).toEqual([ALLOW, ALLOW]);
  });
});

it("calls through another ABI end the process or fail", () => {
  const filter = filterOf(policyWith({}));
  expect(verdictOf(filter, { number: READ, audit: 0x40000003 })).toBe(KILL);
  expect(verdictOf(filter, { number: 0x40000000 + SOCKET })).toBe(EPERM);
});

it("has the numbers of arm64", () => {
  const filter = filterOf(policyWith({}), "arm64");
  const says64 = (number: number) => verdictOf(filter, { number, audit: 0xc00000b7 });
  expect([63, 117, 198, 435].map(says64)).toEqual([ALLOW, EPERM, EPERM, ENOSYS]);
  expect(architectureOf("riscv64")).toBeNull();
});
