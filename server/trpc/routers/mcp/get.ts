import { z } from "zod";
import { AppError } from "@/lib/errors";
import { idSchema } from "@/lib/ids";
import { listProgramReports, readIsolation } from "@/server/store/health";
import { getMcpServer } from "@/server/store/mcp/servers";
import { createProcedure } from "@/server/trpc/init";
import { toServerView } from "./view";

export const mcpGet = createProcedure("mcp.read")
  .input(z.strictObject({ id: idSchema }))
  .query(async ({ ctx, input }) => {
    const [server, reports] = await Promise.all([getMcpServer(ctx.workspaceId, input.id), listProgramReports()]);
    if (!server) throw new AppError("not_found");

    return { ...toServerView(server, ctx.role, reports), isolation: await readIsolation() };
  });
