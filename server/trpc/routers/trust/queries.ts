import { keptQueries } from "@/server/store/trust/queries";
import { procedure } from "@/server/trpc/init";

/** The looks at the trust log that whoever asks has kept. */
export const trustQueries = procedure("trust.read").query(({ ctx: { workspaceId, user } }) => keptQueries(workspaceId, user.id));
