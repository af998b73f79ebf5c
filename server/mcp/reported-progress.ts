import { callProgressSchema, MAX_PROGRESS_MESSAGE, type CallProgress } from "@/lib/mcp/progress";

/** Parses progress; `null` for invalid numbers. */
export const toProgress = (
  said: { progress: number; total?: number | undefined; message?: string | undefined },
  redact: (text: string) => string,
): CallProgress | null => {
  const message =
    said.message === undefined ? null : redact(said.message.replaceAll("\0", "")).slice(0, MAX_PROGRESS_MESSAGE).toWellFormed();
  const read = callProgressSchema.safeParse({ progress: said.progress, total: said.total ?? null, message });

  return read.success ? read.data : null;
};
