import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/root";

/** Answers of all procedures: `Outputs["people"]["list"]`. */
export type Outputs = inferRouterOutputs<AppRouter>;
