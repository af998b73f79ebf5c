/** What a server says of the progress of a call. */
import { callProgressSchema, MAX_PROGRESS_MESSAGE, type CallProgress } from "@/lib/mcp/progress";

/** Only what can be shown and stored of what a server said; `null` for numbers that are none. */
export const progressOf = (
  said: { progress: number; total?: number | undefined; message?: string | undefined },
  redact: (text: string) => string,
): CallProgress | null => {
  const message =
    said.message === undefined ? null : redact(said.message.replaceAll("\0", "")).slice(0, MAX_PROGRESS_MESSAGE).toWellFormed();
  const read = callProgressSchema.safeParse({ progress: said.progress, total: said.total ?? null, message });

  return read.success ? read.data : null;
};
