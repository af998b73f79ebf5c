import { z } from "zod";
import { AppError } from "@/lib/errors";
import { idSchema } from "@/lib/ids";
import { getMcpServer } from "@/server/store/mcp/servers";
import { createProcedure } from "@/server/trpc/init";
import { getUsageFacts } from "./usage-facts";

/** One row per `allowed_agents`, in order. */
export const mcpUsage = createProcedure("mcp.read")
  .input(z.strictObject({ id: idSchema }))
  .query(async ({ ctx, input }) => {
    const server = await getMcpServer(ctx.workspaceId, input.id);
    if (!server) throw new AppError("not_found");
    const { runs, useOf } = await getUsageFacts(ctx.workspaceId);

    return {
      runs,
      callers: server.allowedAgents.map((id) => ({ id, ...useOf((call) => call.server === server.id && call.caller === id) })),
    };
  });
