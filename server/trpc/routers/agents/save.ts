import { z } from "zod";
import { AppError } from "@/lib/errors";
import { agentSchema } from "@/lib/graph/document";
import { visibleNameSchema } from "@/lib/visible-name";
import { demandAllowedAgents } from "@/server/models/choosable";
import { saveAgent } from "@/server/store/agents/agents";
import { createProcedure } from "@/server/trpc/init";

/** Creates an agent for a null `revision`. */
export const agentSave = createProcedure("agent.edit")
  .input(z.strictObject({ agent: agentSchema.extend({ name: visibleNameSchema(120) }), revision: z.number().int().min(1).nullable() }))
  .mutation(async ({ ctx, input }) => {
    await demandAllowedAgents(ctx.workspaceId, [input.agent]);
    const revision = await saveAgent(ctx.workspaceId, input.agent, input.revision);
    if (revision === null) {
      throw new AppError("conflict", input.revision === null ? { message: "An agent with this ID already exists." } : {});
    }

    return { revision };
  });
