"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { pinAnchor } from "./anchor-pin";
import { forgetAnchor } from "./store";

const queryKey = (workspaceId: string) => ["pinned-anchor", workspaceId] as const;

/** Compares each offered anchor with the pinned one. */
export const usePinnedAnchor = (workspaceId: string, offered: TrustAnchor | null) =>
  useQuery({
    queryKey: [...queryKey(workspaceId), JSON.stringify(offered)],
    queryFn: () => pinAnchor(workspaceId, offered),
    retry: false,
  });

/** Forgets the pinned anchor; the next offer is pinned. */
export const useForgetAnchor = (workspaceId: string) => {
  const queries = useQueryClient();

  return async (): Promise<void> => {
    await forgetAnchor(workspaceId);
    await queries.invalidateQueries({ queryKey: queryKey(workspaceId) });
  };
};
