import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/root";

export type LedgerOverview = inferRouterOutputs<AppRouter>["ledger"]["overview"];
export type LedgerKey = LedgerOverview["keys"][number];
