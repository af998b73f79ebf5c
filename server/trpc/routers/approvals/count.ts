import { createProcedure } from "@/server/trpc/init";
import { countWaitingFor } from "@/server/web/count-waiting";

export const approvalsCount = createProcedure("approval.read").query(({ ctx: { workspaceId, user, role } }) =>
  countWaitingFor({ workspaceId, userId: user.id, role }),
);
