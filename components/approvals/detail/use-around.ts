import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

/** Context of a request, which never changes. */
export const useAround = (approvalId: string) => useQuery(useTRPC().approvals.around.queryOptions({ approvalId }, { staleTime: Infinity }));
