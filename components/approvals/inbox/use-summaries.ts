"use client";

import { useQueries } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import type { QueueRow, Summary } from "@/components/approvals/types";

/** Rows of one query; the procedure takes at most 30. */
const BLOCK = 25;

/**
 * Loads the sentences of the rows on screen, block by block.
 * @param last index of the last row on screen
 * @returns by approval id; absent while it loads
 */
export const useSummaries = (rows: readonly QueueRow[], first: number, last: number): ReadonlyMap<string, Summary> => {
  const trpc = useTRPC();
  const blocks = Array.from({ length: Math.ceil((last + 1) / BLOCK) }, (_none, index) => rows.slice(index * BLOCK, (index + 1) * BLOCK));
  const onScreen = blocks.slice(Math.floor(first / BLOCK)).filter((block) => block.length > 0);

  return useQueries({
    // An open request never changes its sentence.
    queries: onScreen.map((block) => trpc.approvals.summaries.queryOptions({ ids: block.map(({ id }) => id) }, { staleTime: Infinity })),
    combine: (found) => new Map(found.flatMap(({ data }) => (data ?? []).map((summary) => [summary.id, summary] as const))),
  });
};
