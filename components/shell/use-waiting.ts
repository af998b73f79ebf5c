"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

const REFRESH_MS = 10_000;

/** Waiting requests, including publishing. @param initial server counts */
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
