/** Watches a pipe that the system closes with the supervisor. */
import net from "node:net";

/** Drain time: everything ends within ten seconds. */
const graceMs = 8_000;

/** @param {NodeJS.Signals} signal */
const signalGroup = (signal) => {
  try {
    process.kill(-process.pid, signal);
  } catch {
    // A sandbox may forbid signals to others.
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
