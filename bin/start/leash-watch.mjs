/**
 * The thread of leash.mjs. The process holds the reading end of a pipe that only the supervisor writes to, and the system closes
 * it with the supervisor.
 */
import net from "node:net";

/** Time to drain. With the start of a drain and the kill, everything ends within ten seconds. */
const graceMs = 8_000;

/** @param {NodeJS.Signals} signal */
const signalGroup = (signal) => {
  try {
    process.kill(-process.pid, signal);
  } catch {
    // The sandbox lets this process signal itself alone, and then there is no other one in the group.
    process.kill(process.pid, signal);
  }
};

let isEnding = false;
const end = () => {
  if (isEnding) return;
  isEnding = true;
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => signalGroup("SIGKILL"), graceMs);
};

const pipe = new net.Socket({ fd: 0, readable: true, writable: false });

for (const event of /** @type {const} */ (["end", "error", "close"])) pipe.once(event, end);
pipe.resume();
