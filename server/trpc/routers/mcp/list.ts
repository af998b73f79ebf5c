import { listProgramReports } from "@/server/store/health";
import { listMcpServers } from "@/server/store/mcp/servers";
import { createProcedure } from "@/server/trpc/init";
import { toServerView } from "./view";

export const mcpList = createProcedure("mcp.read").query(async ({ ctx }) => {
  const [servers, reports] = await Promise.all([listMcpServers(ctx.workspaceId), listProgramReports()]);

  return servers.map((server) => toServerView(server, ctx.role, reports));
});
