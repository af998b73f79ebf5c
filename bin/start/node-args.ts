import os from "node:os";

const MOST_HELPERS = 4;

/** V8's four helpers would take both processors of a small machine from the database. */
const helpers = Math.min(MOST_HELPERS, Math.max(1, os.availableParallelism() - 1));

/** Idle, V8 drops compiled code that the next burst needs. */
export const WEB_ARGS: readonly string[] = [`--v8-pool-size=${helpers}`, "--no-flush-bytecode", "--max-semi-space-size=64"];

/** With the flag, pino parses the whole source map. */
const MAPPED_STACKS = "--import=data:text/javascript,process.setSourceMapsEnabled(true)";

export const RUNNER_ARGS: readonly string[] = [`--v8-pool-size=${helpers}`, MAPPED_STACKS];
