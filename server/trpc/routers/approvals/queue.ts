import { z } from "zod";
import { inboxFilterSchema } from "@/lib/engine/approvals/inbox";
import { isAllowed } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { inboxCursorSchema, listInboxPage } from "@/server/store/approvals/inbox";
import { createProcedure } from "@/server/trpc/init";
import { listSeatsOf } from "@/server/web/seats";

const input = z.strictObject({
  filter: inboxFilterSchema,
  /** ms since 1970; null: now. */
  sinceMs: z.number().int().min(0).nullable().default(null),
  cursor: inboxCursorSchema.nullish(),
  /** Sent by the client with each page. */
  direction: z.literal("forward").optional(),
});

/** Sorts pending approvals by risk and expiry, decided ones latest first. */
export const approvalsQueue = createProcedure("approval.read")
  .input(input)
  .query(async ({ ctx, input: { filter, sinceMs, cursor } }) => {
    const nowMs = systemClock.now();
    const role = isAllowed(ctx.role, "approval.decide") ? ctx.role : null;

    const seats = role === null ? [] : await listSeatsOf(ctx.workspaceId, ctx.user.id, nowMs);

    return listInboxPage(
      { workspaceId: ctx.workspaceId, filter, userId: ctx.user.id, role, seats, nowMs, sinceMs: sinceMs ?? nowMs },
      cursor ?? null,
    );
  });
