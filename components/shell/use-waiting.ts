"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

const REFRESH_MS = 10_000;

/** Number of requests waiting for a decision, publishing requests included. @param initial counts rendered by the server */
export const useWaiting = (initial: { readonly open: number; readonly publishing: number }): number => {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.approvals.count.queryOptions(),
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS / 2,
    initialData: initial,
  });

  return data.open + data.publishing;
};
