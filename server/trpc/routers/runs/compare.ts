import { z } from "zod";
import { compareRuns } from "@/lib/engine/forks/compare";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { listEntries } from "@/lib/engine/ledger/replay";
import { createProcedure } from "@/server/trpc/init";
import { openVerifiedRun } from "@/server/web/open-run";

const input = z.strictObject({ a: z.uuid(), b: z.uuid() });

/** Hidden values reveal nothing. */
export const runsCompare = createProcedure("run.read")
  .input(input)
  .query(async ({ ctx, input: { a, b } }) => {
    const clearance = getShownTo(ctx.role);
    const [left, right] = await Promise.all([
      openVerifiedRun(ctx.workspaceId, a, clearance),
      openVerifiedRun(ctx.workspaceId, b, clearance),
    ]);

    return compareRuns(listEntries(left.ledger), listEntries(right.ledger));
  });
