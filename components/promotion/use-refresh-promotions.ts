import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";

export const useRefreshPromotions = () => {
  const trpc = useTRPC();
  const refreshes = [useRefresh(trpc.environments.pathFilter()), useRefresh(trpc.graphs.pathFilter())];

  return () => Promise.all(refreshes.map((refresh) => refresh()));
};
