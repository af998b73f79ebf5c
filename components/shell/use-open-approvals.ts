"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

const REFRESH_MS = 10_000;

/** How many approvals wait. @param initial what the server knew when it rendered the page */
export const useOpenApprovals = (initial: number): number => {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.approvals.count.queryOptions(),
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS / 2,
    initialData: { open: initial },
  });

  return data.open;
};
