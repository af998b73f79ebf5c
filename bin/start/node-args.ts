/** How Node is told to run a runner. */
import os from "node:os";

const MOST_HELPERS = 4;

/**
 * V8's helpers collect garbage and compile beside the thread that decides. As many as V8 likes (four) take the processors from the
 * database where there are two; a processor stays free of them.
 */
const helpers = Math.min(MOST_HELPERS, Math.max(1, os.availableParallelism() - 1));

export const RUNNER_ARGS: readonly string[] = [`--v8-pool-size=${helpers}`, "--enable-source-maps"];
