import { z } from "zod";
import { systemClock } from "@/server/clock";
import { setAside } from "@/server/store/approvals/asides";
import { createProcedure } from "@/server/trpc/init";
import { approvalIdsSchema } from "./aside-input";

/** Hides requests from their reader unless they expire soon. */
export const approvalsSnooze = createProcedure("approval.read")
  .input(
    z.strictObject({
      approvalIds: approvalIdsSchema,
      /** ms since 1970; null: until the request changes. */
      untilMs: z.number().int().min(0).max(8.64e15).nullable(),
    }),
  )
  .mutation(async ({ ctx, input: { approvalIds, untilMs } }) => {
    const aside = { approvalIds, kind: "snoozed", untilMs, reason: null, nowMs: systemClock.now() } as const;

    return { snoozed: await setAside({ workspaceId: ctx.workspaceId, userId: ctx.user.id }, aside) };
  });
