import fs from "node:fs";
import { z } from "zod";

const lineSchema = z.object({ level: z.number(), msg: z.string(), error: z.string().optional() });

/** `level`: pino's; 40 warning, 50 error. */
export type LogLine = { readonly level: number; readonly text: string };

const FATAL = 60;

/** Only complete lines; none if missing. */
export const linesOf = (file: string): string[] => {
  try {
    return fs
      .readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
};

const parsed = (line: string): LogLine | null => {
  try {
    const { level, msg, error } = lineSchema.parse(JSON.parse(line));

    return { level, text: error === undefined ? msg : `${msg}: ${error}` };
  } catch {
    return null;
  }
};

/** Joins Node's multi-line crash output. */
export const logLinesOf = (lines: readonly string[]): LogLine[] => {
  const found: LogLine[] = [];
  let stray: string[] = [];
  const end = (): void => {
    if (stray.length > 0) found.push({ level: FATAL, text: stray.join(" ") });
    stray = [];
  };
  for (const line of lines) {
    const one = parsed(line);
    if (one === null) stray.push(line.trim());
    else {
      end();
      found.push(one);
    }
  }
  end();

  return found;
};
