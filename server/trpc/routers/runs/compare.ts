import { z } from "zod";
import { compareRuns } from "@/lib/engine/forks/compare";
import { shownTo } from "@/lib/engine/approvals/policy";
import { entriesIn } from "@/lib/engine/ledger/replay";
import { procedure } from "@/server/trpc/init";
import { verifiedRun } from "@/server/web/opened-run";

const input = z.strictObject({ a: z.uuid(), b: z.uuid() });

/** The first difference of two runs, and a summary. Hidden values reveal nothing. */
export const runsCompare = procedure("run.read")
  .input(input)
  .query(async ({ ctx, input: { a, b } }) => {
    const clearance = shownTo(ctx.role);
    const [left, right] = await Promise.all([verifiedRun(ctx.workspaceId, a, clearance), verifiedRun(ctx.workspaceId, b, clearance)]);

    return compareRuns(entriesIn(left.ledger), entriesIn(right.ledger));
  });
