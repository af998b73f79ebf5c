/** Structured logs on stdout. Values of memory, prompts and keys are never logged: callers pass ids, codes and counts. */
import { pino, type Logger } from "pino";
import { terminalText } from "@/lib/terminal-text.mjs";
import { env } from "@/server/env";

let root: Logger | null = null;

/** The logger of this process; created on first use because the level comes from the environment. */
export const log = (): Logger => {
  const destination = { write: (line: string) => void process.stdout.write(terminalText(line)) };
  root ??= pino(
    {
      level: env().LOG_LEVEL,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ["password", "token", "secret", "authorization", "*.password", "*.token", "*.secret"], censor: "[redacted]" },
    },
    destination,
  );

  return root;
};
