/** Structured logs on stdout. Values of memory, prompts and keys are never logged: callers pass ids, codes and counts. */
import { pino, type Logger } from "pino";
import { env } from "@/server/env";

let root: Logger | null = null;

/** The logger of this process; created on first use because the level comes from the environment. */
export const log = (): Logger => {
  root ??= pino({
    level: env().LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ["password", "token", "secret", "authorization", "*.password", "*.token", "*.secret"], censor: "[redacted]" },
  });

  return root;
};
