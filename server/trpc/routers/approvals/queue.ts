import { z } from "zod";
import { inboxFilterSchema } from "@/lib/engine/approvals/inbox";
import { may } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { inboxCursorSchema, inboxPage } from "@/server/store/approvals/inbox";
import { procedure } from "@/server/trpc/init";

const input = z.strictObject({
  filter: inboxFilterSchema,
  /** When the reader's list was put in order, ms since 1970; null: now. */
  since_ms: z.number().int().min(0).nullable().default(null),
  cursor: inboxCursorSchema.nullish(),
  /** Sent along by the client with each page; there is one direction. */
  direction: z.literal("forward").optional(),
});

/** A page of the inbox: what waits, by what expires first, or what was decided, the last one first. */
export const approvalsQueue = procedure("approval.read")
  .input(input)
  .query(({ ctx, input: { filter, since_ms: sinceMs, cursor } }) => {
    const nowMs = systemClock.now();
    const role = may(ctx.role, "approval.decide") ? ctx.role : null;

    return inboxPage({ workspaceId: ctx.workspaceId, filter, userId: ctx.user.id, role, nowMs, sinceMs: sinceMs ?? nowMs }, cursor ?? null);
  });
