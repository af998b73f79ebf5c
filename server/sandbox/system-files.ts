export const SYSTEM_EXECUTE: readonly string[] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store"];

/** Of a distribution's package; elsewhere it could be anyone's. */
export const PYTHONS: readonly string[] = ["/usr/bin/python3", "/usr/local/bin/python3"];

/** util-linux. A user namespace needs a single-threaded process, which Node never is. */
export const UNSHARE = "/usr/bin/unshare";

export const SYSTEM_READ: readonly string[] = [
  "/dev/random",
  "/dev/urandom",
  "/etc/ca-certificates",
  "/etc/gai.conf",
  "/etc/host.conf",
  "/etc/hosts",
  "/etc/ld.so.cache",
  "/etc/localtime",
  "/etc/mime.types",
  "/etc/nsswitch.conf",
  "/etc/pki/ca-trust",
  "/etc/pki/tls/certs",
  "/etc/protocols",
  "/etc/resolv.conf",
  "/etc/services",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/proc/cpuinfo",
  "/proc/loadavg",
  "/proc/meminfo",
  // The launcher opens it and keeps its pid when it becomes the program.
  "/proc/self",
  "/proc/stat",
  "/proc/uptime",
  "/proc/version",
  "/sys/fs/cgroup",
  "/usr/local/share/ca-certificates",
  "/usr/share/ca-certificates",
  "/usr/share/zoneinfo",
];

export const SYSTEM_WRITE: readonly string[] = ["/dev/null"];
