import { z } from "zod";
import { reasonTemplatesSchema } from "@/lib/reason-templates";
import { systemClock } from "@/server/clock";
import { listReasonTemplates, setReasonTemplates } from "@/server/store/approvals/reason-templates";
import { createProcedure, router } from "@/server/trpc/init";

const reasonsGet = createProcedure("approval.read").query(async ({ ctx: { workspaceId } }) => ({
  reasons: await listReasonTemplates(workspaceId),
}));

const reasonsSet = createProcedure("people.manage")
  .input(z.strictObject({ reasons: reasonTemplatesSchema }))
  .mutation(async ({ ctx: { workspaceId, user }, input: { reasons } }) => {
    await setReasonTemplates(workspaceId, { reasons, changedBy: user.id, nowMs: systemClock.now() });

    return { reasons };
  });

export const reasonsRouter = router({ get: reasonsGet, set: reasonsSet });
