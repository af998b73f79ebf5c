/** Logs ids, codes and counts; never memory values, prompts or keys. */
import { pino, type Logger } from "pino";
import { terminalText } from "@/lib/terminal-text.mjs";
import { readEnv } from "@/server/env";

let root: Logger | null = null;

/** Created on first use: its level comes from the environment. */
export const log = (): Logger => {
  const destination = { write: (line: string) => void process.stdout.write(terminalText(line)) };
  root ??= pino(
    {
      level: readEnv().LOG_LEVEL,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ["password", "token", "secret", "authorization", "*.password", "*.token", "*.secret"], censor: "[redacted]" },
    },
    destination,
  );

  return root;
};
