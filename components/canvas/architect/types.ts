import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/root";

type Outputs = inferRouterOutputs<AppRouter>;

export type Job = Outputs["architect"]["job"];
export type Proposal = NonNullable<Job["proposal"]>;
export type PublishPreview = Outputs["graphs"]["publishPreview"];
export type PublishRequest = Outputs["graphs"]["publishRequestList"][number];
