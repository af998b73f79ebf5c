"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import type { InboxFilter } from "@/lib/engine/approvals/inbox";

const REFRESH_MS = 3_000;
/** Pages are fetched in sequence. */
const SLOW_REFRESH_MS = 10_000;

/** Queue in opening order; decided requests stay and new ones are appended. */
export const useQueue = (filter: InboxFilter) => {
  const trpc = useTRPC();
  const [sinceMs, setSinceMs] = useState(() => Date.now());
  const query = useInfiniteQuery(
    trpc.approvals.queue.infiniteQueryOptions(
      { filter, sinceMs },
      {
        getNextPageParam: (page) => page.nextCursor ?? undefined,
        refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? SLOW_REFRESH_MS : REFRESH_MS),
        placeholderData: keepPreviousData,
      },
    ),
  );
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);

  return {
    query,
    rows,
    counts: pages?.[0]?.counts ?? null,
    putInOrder: () => setSinceMs((before) => pages?.[0]?.nowMs ?? before),
  };
};

export type Queue = ReturnType<typeof useQueue>;
