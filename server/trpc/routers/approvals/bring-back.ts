import { z } from "zod";
import { bringBack } from "@/server/store/approvals/asides";
import { createProcedure } from "@/server/trpc/init";
import { approvalIdsSchema } from "./aside-input";

/** Shows requests again that their reader has set aside. */
export const approvalsBringBack = createProcedure("approval.read")
  .input(z.strictObject({ approvalIds: approvalIdsSchema }))
  .mutation(async ({ ctx, input: { approvalIds } }) => {
    await bringBack({ workspaceId: ctx.workspaceId, userId: ctx.user.id }, approvalIds);

    return { shown: approvalIds.length };
  });
