import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/root";

type Outputs = inferRouterOutputs<AppRouter>;

export type RunListRow = Outputs["runs"]["list"]["runs"][number];
export type RunDetails = Outputs["runs"]["get"];
export type RunGraph = RunDetails["graph"];
