/** The end of stderr, without control characters and secrets. */
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import { ERROR_OUTPUT_LIMITS } from "@/lib/mcp/process-failure";
import { terminalText } from "@/lib/terminal-text.mjs";
import { redactText } from "./redact";

const KEPT_CHARS = 65_536;

/** `encodeURIComponent` writes at most nine characters per UTF-16 unit. */
const MAX_SPELLING_FACTOR = 9;

export type ErrorOutput = {
  push(chunk: Buffer): void;
  /** At most 50 lines and 8 kB. */
  text(): string;
};

/** Cuts between characters. */
const lastBytes = (text: string, maxBytes: number): string => {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - maxBytes);
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;

  return bytes.toString("utf8", start);
};

/** Buffers stderr. @param secrets removed */
export const createErrorOutput = (secrets: readonly string[]): ErrorOutput => {
  const decoder = new StringDecoder("utf8");
  // PEM keys print line by line.
  const hidden = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]);
  const longest = Math.max(0, ...hidden.map((secret) => secret.length)) * MAX_SPELLING_FACTOR;
  let kept = "";
  let isCut = false;

  return {
    push: (chunk) => {
      kept += decoder.write(chunk);
      if (kept.length <= 2 * KEPT_CHARS) return;
      kept = kept.slice(-KEPT_CHARS);
      isCut = true;
    },
    text: () => {
      // Colours can split secrets; secrets can contain them.
      const redacted = redactText(stripVTControlCharacters(redactText(kept, hidden)), hidden);
      // Starts with a cut secret's rest.
      const whole = isCut ? redacted.slice(longest) : redacted;
      const lines = terminalText(whole.replaceAll(/\r\n?/g, "\n")).trimEnd().split("\n").slice(-ERROR_OUTPUT_LIMITS.maxLines);

      return lastBytes(lines.join("\n"), ERROR_OUTPUT_LIMITS.maxBytes);
    },
  };
};
