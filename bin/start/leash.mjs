/**
 * Preloaded into web and runner: ends them when the supervisor is gone, even by kill -9. A thread of its own watches, so that a
 * main thread that is blocked or ignores signals ends as well.
 */
import { Worker } from "node:worker_threads";

// Without this process's flags, of which one preloads this very module.
new Worker(new URL("leash-watch.mjs", import.meta.url), { execArgv: [], env: {} }).unref();

// Its children get its flags (`fork`, Turbopack), but not its pipe.
const at = process.execArgv.indexOf("--import");
if (at >= 0) process.execArgv.splice(at, 2);
