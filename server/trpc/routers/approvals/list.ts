import { z } from "zod";
import { listApprovals } from "@/server/store/approvals/approvals";
import { createProcedure } from "@/server/trpc/init";

export const approvalsList = createProcedure("approval.read")
  .input(z.strictObject({ status: z.enum(["open", "resolved"]).default("open") }))
  .query(({ ctx, input }) => listApprovals(ctx.workspaceId, input.status));
