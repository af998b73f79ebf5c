/** Numbers of filtered system calls: [x64, arm64]; null where missing. */

/** @type {Readonly<Record<string, readonly [number | null, number | null]>>} */
const NUMBERS = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  clone: [56, 220],
  clone3: [435, 435],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fork: [57, null],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioperm: [173, null],
  iopl: [172, null],
  ioprio_set: [251, 30],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  kill: [62, 129],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  mmap: [9, 222],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  mq_open: [240, 180],
  msgget: [68, 186],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  personality: [135, 92],
  pidfd_getfd: [438, 438],
  pidfd_open: [434, 434],
  pidfd_send_signal: [424, 424],
  pivot_root: [155, 41],
  prctl: [157, 167],
  prlimit64: [302, 261],
  process_madvise: [440, 440],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  reboot: [169, 142],
  request_key: [249, 218],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  sched_setaffinity: [203, 122],
  sched_setattr: [314, 274],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  semget: [64, 190],
  sendmmsg: [307, 269],
  sendmsg: [46, 211],
  sendto: [44, 206],
  setns: [308, 268],
  setpriority: [141, 140],
  settimeofday: [164, 170],
  shmget: [29, 194],
  socket: [41, 198],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  tgkill: [234, 131],
  tkill: [200, 130],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
  vfork: [58, null],
};

/** AUDIT_ARCH of linux/audit.h, and the table's column. */
const ARCHITECTURES = /** @type {const} */ ({ x64: { audit: 0xc000003e, column: 0 }, arm64: { audit: 0xc00000b7, column: 1 } });

/** @typedef {{ readonly audit: number, readonly isX64: boolean, readonly numberOf: (name: string) => number | null }} Architecture */

/**
 * @param {string} arch `process.arch`
 * @returns {Architecture | null} null without numbers
 */
export const architectureOf = (arch) => {
  if (arch !== "x64" && arch !== "arm64") return null;
  const { audit, column } = ARCHITECTURES[arch];

  return {
    audit,
    isX64: arch === "x64",
    numberOf: (name) => {
      const numbers = NUMBERS[name];
      if (numbers === undefined) throw new Error(`${name} is not in the table of system calls`);

      return numbers[column];
    },
  };
};
