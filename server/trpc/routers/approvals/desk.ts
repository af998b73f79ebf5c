import { z } from "zod";
import { AppError } from "@/lib/errors";
import { getGateClearance } from "@/lib/engine/approvals/policy";
import { getApproval } from "@/server/store/approvals/approvals";
import { getNames } from "@/server/store/people/people";
import { createProcedure } from "@/server/trpc/init";
import { replayWhole } from "@/server/web/open-run";
import { buildDeskView } from "./desk-view";

/** Excludes the subject, which is opened on record. */
export const approvalsDesk = createProcedure("approval.read")
  .input(z.strictObject({ approvalId: z.uuid() }))
  .query(async ({ ctx, input }) => {
    const approval = await getApproval(ctx.workspaceId, input.approvalId);
    if (!approval) throw new AppError("not_found");
    const { published, state, sealed } = await replayWhole(ctx.workspaceId, approval.runId);
    const gateState = state.gates[approval.id];
    const desk = gateState && buildDeskView(published, state, gateState, { id: ctx.user.id, clearance: getGateClearance(ctx), sealed });
    if (!desk) throw new AppError("not_found");
    const people = (desk.verdicts ?? []).flatMap(({ by }) => (by.startsWith("user:") ? [by.slice("user:".length)] : []));

    return { ...desk, people: await getNames(ctx.workspaceId, people) };
  });
