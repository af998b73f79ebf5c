import { listKeptQueries } from "@/server/store/trust/queries";
import { createProcedure } from "@/server/trpc/init";

export const trustQueries = createProcedure("trust.read").query(({ ctx: { workspaceId, user } }) => listKeptQueries(workspaceId, user.id));
