import { z } from "zod";
import type { Graph } from "@/lib/graph/document";
import { findAside, getKnownValue, type RunState } from "@/lib/engine/state";
import type { ThreadMessage } from "@/lib/engine/thread";
import { getThreadPath } from "@/lib/engine/thread-of";

export const MAX_SUMMARY_CHARACTERS = 20_000;

/** `turns`: replaced from the first on; `summary` null: left out. */
export const compactionSchema = z.strictObject({
  turns: z.number().int().min(1),
  summary: z.string().min(1).max(MAX_SUMMARY_CHARACTERS).nullable(),
});
export type Compaction = z.infer<typeof compactionSchema>;

export const getCompactionPath = (state: RunState, task: string): string =>
  getThreadPath(state, task).replace("$thread", () => "$compacted");

export const getCompaction = (state: RunState, task: string): Compaction | null =>
  compactionSchema.safeParse(getKnownValue(findAside(state, getCompactionPath(state, task)).at(-1))).data ?? null;

type Thread = readonly ThreadMessage[];

/** A turn is an answer of the model with what followed it. */
export const splitTurns = (thread: Thread): readonly Thread[] => {
  const starts = thread.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));

  return starts.map((start, index) => thread.slice(start, starts[index + 1]));
};

export const getTurnsAfter = (thread: Thread, compaction: Compaction | null): Thread =>
  splitTurns(thread)
    .slice(compaction?.turns ?? 0)
    .flat();

/** Below 1, so that compactions are rare. */
const KEPT_SHARE = 0.5;

/** 0: none can be. The last turn stays: it may have calls to decide. */
export const countTurnsToReplace = (thread: Thread, already: number, room: number, measure: (part: Thread) => number): number => {
  const turns = splitTurns(thread);
  let kept = turns.length - 1;
  let size = measure(turns[kept] ?? []);
  while (kept > already) {
    size += measure(turns[kept - 1] ?? []);
    if (size > room * KEPT_SHARE) break;
    kept -= 1;
  }

  return kept > already ? kept : 0;
};

export const DEFAULT_POLICY = "summarise";

/** In tokens; null: unknown. */
export const getThreadLimit = ({ max_thread_tokens: declared }: Graph, contextTokens: number | null): number | null => {
  const limits = [declared, contextTokens ?? undefined].filter((limit) => limit !== undefined);

  return limits.length === 0 ? null : Math.min(...limits);
};
