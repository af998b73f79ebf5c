/** Filters system calls in Landlock's gaps: UDP, Unix sockets, processes, signals. */

/** @typedef {import("../policy.ts").SandboxPolicy} SandboxPolicy */
/** @typedef {import("./syscalls.mjs").Architecture} Architecture */
/**
 * On the lower 32 bits of one argument. @typedef {{ readonly arg: number, readonly mask?: number, readonly oneOf: readonly number[] }
 * | { readonly arg: number, readonly not: number }} Clause
 */
/** Denied without clauses. @typedef {{ readonly call: string, readonly when: readonly Clause[], readonly errno: number }} Rule */

const LOAD = 0x20;
const AND = 0x54;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const FAIL_WITH = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const ALL_BITS = 0xffffffff;

const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const SOCK_STREAM = 1;
const SOCK_DGRAM = 2;
const SOCK_RAW = 3;
const SOCK_TYPE_MASK = 0xf;
const IPPROTO_TCP = 6;
const IPPROTO_UDP = 17;
const MSG_FASTOPEN = 0x20000000;
const CLONE_THREAD = 0x10000;
const CLONE_NEWUSER = 0x10000000;
const CLONE_NEWNET = 0x40000000;
const MAP_SHARED = 0x01;
const MAP_ANONYMOUS = 0x20;
const PR_SET_PDEATHSIG = 1;
/** x32 calls on x64 have this bit and would pass a filter by number. */
const X32 = 0x40000000;

/** @param {string} text */
const namesIn = (text) => text.trim().split(/\s+/u);

/** Other processes' memory, kernel settings, alternatives to denied calls. */
const ALWAYS_DENIED = namesIn(`
  ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd perf_event_open userfaultfd
  setns mount umount2 pivot_root chroot open_by_handle_at
  move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr
  bpf keyctl add_key request_key io_uring_setup io_uring_enter io_uring_register
  init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff
  acct quotactl settimeofday clock_settime clock_adjtime adjtimex syslog iopl ioperm personality
`);

/** Calls that reach outside processes or hold unlimited memory. */
const DENIED_ALONE = namesIn(`
  fork vfork tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal
  setpriority ioprio_set sched_setscheduler sched_setparam sched_setattr
  memfd_create memfd_secret shmget msgget semget mq_open
`);

/** @param {string} call @param {readonly Clause[]} [when] @param {number} [errno] @returns {Rule} */
const rule = (call, when = [], errno = EPERM) => ({ call, when, errno });

/**
 * One process, which signals only itself.
 * @param {number} pid its own
 * @returns {readonly Rule[]}
 */
const rulesAlone = (pid) => [
  ...DENIED_ALONE.map((call) => rule(call)),
  rule("clone", [{ arg: 0, mask: CLONE_THREAD, oneOf: [CLONE_THREAD] }]),
  // Its flags are behind a pointer; glibc falls back to clone on ENOSYS.
  rule("clone3", [], ENOSYS),
  rule("kill", [{ arg: 0, oneOf: [pid] }]),
  rule("tgkill", [{ arg: 0, oneOf: [pid] }]),
  rule("sched_setaffinity", [{ arg: 0, oneOf: [0] }]),
  rule("prctl", [{ arg: 0, not: PR_SET_PDEATHSIG }]),
  rule("mmap", [{ arg: 3, mask: MAP_SHARED | MAP_ANONYMOUS, oneOf: [0, MAP_SHARED, MAP_ANONYMOUS] }]),
];

/** @param {import("../policy.ts").NetworkPolicy} network @returns {readonly Rule[]} */
const socketRules = ({ connect, listen, datagrams, localSockets }) => {
  if (localSockets) return [];
  const streams = connect === "any" || listen === "any" || connect.length + listen.length > 0;
  if (!streams && !datagrams) return [rule("socket")];

  return [
    rule("socket", [
      { arg: 0, oneOf: datagrams ? [AF_INET, AF_INET6, AF_NETLINK] : [AF_INET, AF_INET6] },
      // Netlink sockets are raw; raw IP sockets are refused by protocol.
      { arg: 1, mask: SOCK_TYPE_MASK, oneOf: [...(streams ? [SOCK_STREAM] : []), ...(datagrams ? [SOCK_DGRAM, SOCK_RAW] : [])] },
      // MPTCP and SCTP are streams too, and Landlock checks only TCP.
      { arg: 2, oneOf: datagrams ? [0, IPPROTO_TCP, IPPROTO_UDP] : [0, IPPROTO_TCP] },
    ]),
    // TCP fast open connects while sending, and Landlock checks only connect.
    ...["sendto", "sendmmsg"].map((call) => rule(call, [{ arg: 3, mask: MSG_FASTOPEN, oneOf: [0] }])),
    rule("sendmsg", [{ arg: 2, mask: MSG_FASTOPEN, oneOf: [0] }]),
  ];
};

/** @typedef {readonly [code: number, ifTrue: number, ifFalse: number, value: number]} Instruction */

/** @param {number} errno @returns {Instruction} */
const failWith = (errno) => [RETURN, 0, 0, FAIL_WITH | errno];

/** @param {Clause} clause @param {number} errno @returns {readonly Instruction[]} */
const instructionsOfClause = (clause, errno) => {
  /** @type {Instruction} */
  const load = [LOAD, 0, 0, 16 + 8 * clause.arg];
  if ("not" in clause) return [load, [IF_EQUAL, 0, 1, clause.not], failWith(errno)];
  const { mask = ALL_BITS, oneOf } = clause;

  return [
    load,
    [AND, 0, 0, mask],
    ...oneOf.map((value, index) => /** @type {Instruction} */ ([IF_EQUAL, oneOf.length - index, 0, value])),
    failWith(errno),
  ];
};

/** @param {Architecture} architecture @returns {(rule: Rule) => readonly Instruction[]} */
const instructionsOf =
  ({ numberOf }) =>
  ({ call, when, errno }) => {
    const number = numberOf(call);
    if (number === null) return [];
    /** @type {readonly Instruction[]} */
    const body =
      when.length === 0 ? [failWith(errno)] : [...when.flatMap((clause) => instructionsOfClause(clause, errno)), [RETURN, 0, 0, ALLOW]];

    return [[IF_EQUAL, 0, body.length, number], ...body];
  };

/**
 * Builds an array of `struct sock_filter`.
 * @param {SandboxPolicy} policy
 * @param {Architecture} architecture
 * @param {number} pid of the filtered process
 */
export const buildFilter = (policy, architecture, pid) => {
  const rules = [
    ...ALWAYS_DENIED.map((call) => rule(call)),
    // A process of the same user could otherwise starve its parent.
    rule("prlimit64", [{ arg: 0, oneOf: [0, pid] }]),
    // Server starters create an empty network, as root or in a user namespace.
    rule("unshare", policy.processes ? [{ arg: 0, oneOf: [CLONE_NEWNET, CLONE_NEWNET | CLONE_NEWUSER] }] : []),
    ...(policy.processes ? [] : rulesAlone(pid)),
    ...socketRules(policy.network),
  ];
  /** @type {readonly Instruction[]} */
  const program = [
    [LOAD, 0, 0, 4],
    [IF_EQUAL, 1, 0, architecture.audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, 0],
    ...(architecture.isX64 ? /** @type {readonly Instruction[]} */ ([[IF_AT_LEAST, 0, 1, X32], failWith(EPERM)]) : []),
    ...rules.flatMap(instructionsOf(architecture)),
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(program.length * 8);

  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }

  return bytes;
};
