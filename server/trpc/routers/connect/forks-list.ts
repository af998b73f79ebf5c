import { listAgentForks } from "@/server/store/agents/sessions";
import { createProcedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";

export const connectForksList = createProcedure("connect.read").query(({ ctx }) => listAgentForks(ctx.workspaceId, ownOnly(ctx)));
