import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/root";

type Outputs = inferRouterOutputs<AppRouter>["approvals"];

export type ApprovalDetails = Outputs["get"];
export type SimilarDecisions = NonNullable<Outputs["similar"]>;
export type DeskDetails = Outputs["desk"];
export type ApprovalAround = Outputs["around"];
export type QueueRow = Outputs["queue"]["rows"][number];
/** `barred`: why the reader may not decide. */
export type Summary = Outputs["summaries"][number];
export type QueueCounts = NonNullable<Outputs["queue"]["counts"]>;
