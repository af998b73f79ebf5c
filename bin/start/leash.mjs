/** Ends web and runner with the supervisor, even on kill -9 and with a blocked main thread. */
import { Worker } from "node:worker_threads";

// One of the flags preloads this module.
new Worker(new URL("leash-watch.mjs", import.meta.url), { execArgv: [], env: {} }).unref();

// Its children get its flags (`fork`, Turbopack), but not its pipe.
const at = process.execArgv.indexOf("--import");
if (at >= 0) process.execArgv.splice(at, 2);
