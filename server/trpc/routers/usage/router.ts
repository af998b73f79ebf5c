import { isAllowed } from "@/lib/roles";
import { usageQuerySchema } from "@/lib/usage/report";
import { systemClock } from "@/server/clock";
import { readUsage } from "@/server/store/usage/usage";
import { createProcedure, router } from "@/server/trpc/init";

/** Only those who see the people see each person's use. */
const usageReport = createProcedure("run.read")
  .input(usageQuerySchema)
  .query(({ ctx: { workspaceId, user, role }, input }) =>
    readUsage({ workspaceId, onlyPerson: isAllowed(role, "people.read") ? null : user.id, graphs: null }, input, systemClock.now()),
  );

export const usageRouter = router({ report: usageReport });
