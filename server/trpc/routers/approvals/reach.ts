import { z } from "zod";
import { getPublishedHere } from "@/lib/engine/frame";
import { findAside } from "@/lib/engine/state";
import { stateAt } from "@/lib/engine/timeline";
import { AppError } from "@/lib/errors";
import { joinLabels } from "@/lib/graph/label";
import { getApproval } from "@/server/store/approvals/approvals";
import { createProcedure } from "@/server/trpc/init";
import { replayRun } from "@/server/web/open-run";
import { computeGateReach } from "./gate-reach";

/** Fetched once, because it is immutable and value-free. */
export const approvalsReach = createProcedure("approval.read")
  .input(z.strictObject({ approvalId: z.uuid() }))
  .query(async ({ ctx, input }) => {
    const approval = await getApproval(ctx.workspaceId, input.approvalId);
    if (!approval) throw new AppError("not_found");
    const { published, records } = await replayRun(ctx.workspaceId, approval.runId, "public");
    const opened = records.find(({ record }) =>
      record.control.some((event) => event.type === "gate_opened" && event.gate.id === approval.id),
    );
    if (!opened) throw new AppError("not_found");
    // The run may have left the subgraph.
    const then = stateAt(
      records.map((signed) => ({ signed, values: [] })),
      opened.record.seq,
    );
    const gate = then.gates[approval.id]?.gate;
    if (!gate) throw new AppError("not_found");
    const label = findAside(then, `$pending.${gate.id}`).at(-1)?.label ?? joinLabels([]);

    return computeGateReach(getPublishedHere(published, then), gate, label.integrity);
  });
