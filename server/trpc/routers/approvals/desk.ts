import { z } from "zod";
import { AppError } from "@/lib/errors";
import { clearanceAtGate } from "@/lib/engine/approvals/policy";
import { getApproval } from "@/server/store/approvals/approvals";
import { namesOf } from "@/server/store/people/people";
import { procedure } from "@/server/trpc/init";
import { replayWhole } from "@/server/web/opened-run";
import { deskView } from "./desk-view";

/** A review gate's case, without its subject, which is opened on record. */
export const approvalsDesk = procedure("approval.read")
  .input(z.strictObject({ approval_id: z.uuid() }))
  .query(async ({ ctx, input }) => {
    const approval = await getApproval(ctx.workspaceId, input.approval_id);
    if (!approval) throw new AppError("not_found");
    const { published, state, sealed } = await replayWhole(ctx.workspaceId, approval.runId);
    const gateState = state.gates[approval.id];
    const desk = gateState && deskView(published, state, gateState, { id: ctx.user.id, clearance: clearanceAtGate(ctx), sealed });
    if (!desk) throw new AppError("not_found");
    const people = (desk.verdicts ?? []).flatMap(({ by }) => (by.startsWith("user:") ? [by.slice("user:".length)] : []));

    return { ...desk, people: await namesOf(ctx.workspaceId, people) };
  });
