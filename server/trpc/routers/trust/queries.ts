import { keptQueries } from "@/server/store/trust/queries";
import { procedure } from "@/server/trpc/init";

/** One's saved views of the trust log. */
export const trustQueries = procedure("trust.read").query(({ ctx: { workspaceId, user } }) => keptQueries(workspaceId, user.id));
