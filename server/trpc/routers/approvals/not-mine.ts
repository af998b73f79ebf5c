import { z } from "zod";
import { systemClock } from "@/server/clock";
import { setAside } from "@/server/store/approvals/asides";
import { createProcedure } from "@/server/trpc/init";
import { approvalIdsSchema } from "./aside-input";

/** Hides requests from their reader and tells the others why. */
export const approvalsNotMine = createProcedure("approval.comment")
  .input(z.strictObject({ approvalIds: approvalIdsSchema, reason: z.string().trim().max(500) }))
  .mutation(async ({ ctx, input: { approvalIds, reason } }) => {
    const aside = {
      approvalIds,
      kind: "not_mine",
      untilMs: null,
      reason: reason === "" ? null : reason,
      nowMs: systemClock.now(),
    } as const;

    return { told: await setAside({ workspaceId: ctx.workspaceId, userId: ctx.user.id }, aside) };
  });
