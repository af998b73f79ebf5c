import { z } from "zod";
import { publishedHere } from "@/lib/engine/frame";
import { asideAt } from "@/lib/engine/state";
import { stateAt } from "@/lib/engine/timeline";
import { AppError } from "@/lib/errors";
import { joinLabels } from "@/lib/graph/label";
import { getApproval } from "@/server/store/approvals/approvals";
import { procedure } from "@/server/trpc/init";
import { replayRun } from "@/server/web/opened-run";
import { gateReach } from "./gate-reach";

/**
 * What an approval lets happen, from the version that the run froze. It is computed without a single value of memory, and it
 * never changes, so it is asked for once and apart from the view, whose digest a decision covers.
 */
export const approvalsReach = procedure("approval.read")
  .input(z.strictObject({ approval_id: z.uuid() }))
  .query(async ({ ctx, input }) => {
    const approval = await getApproval(ctx.workspaceId, input.approval_id);
    if (!approval) throw new AppError("not_found");
    const { published, records } = await replayRun(ctx.workspaceId, approval.runId, "public");
    const opened = records.find(({ record }) =>
      record.control.some((event) => event.type === "gate_opened" && event.gate.id === approval.id),
    );
    if (!opened) throw new AppError("not_found");
    // The run may have left the subgraph since: what counts is where it was when it asked.
    const then = stateAt(
      records.map((signed) => ({ signed, values: [] })),
      opened.record.seq,
    );
    const gate = then.gates[approval.id]?.gate;
    if (!gate) throw new AppError("not_found");
    const label = asideAt(then, `$pending.${gate.id}`).at(-1)?.label ?? joinLabels([]);

    return gateReach(publishedHere(published, then), gate, label.integrity);
  });
