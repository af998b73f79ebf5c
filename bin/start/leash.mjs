/**
 * Preloaded into web and runner: ends them when the supervisor is gone, even by kill -9. They hold the reading end of a
 * pipe that only the supervisor writes to, and the system closes it with the supervisor.
 */
const graceMs = 10_000;

const end = () => {
  process.kill(process.pid, "SIGTERM");
  // Still here after that: the whole group goes, with whatever it started.
  setTimeout(() => process.kill(-process.pid, "SIGKILL"), graceMs).unref();
};

process.stdin.once("end", end);
process.stdin.once("error", end);
process.stdin.resume();
process.stdin.unref?.();
