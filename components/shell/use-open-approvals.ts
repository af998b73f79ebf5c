"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

const REFRESH_MS = 10_000;

/** How many approvals wait; 0 while that is not known. */
export const useOpenApprovals = (): number => {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.approvals.count.queryOptions(), refetchInterval: REFRESH_MS, staleTime: REFRESH_MS / 2 });

  return data?.open ?? 0;
};
