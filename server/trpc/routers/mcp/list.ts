import { listMcpServers } from "@/server/store/mcp/servers";
import { procedure } from "@/server/trpc/init";
import { toServerView } from "./view";

export const mcpList = procedure("mcp.read").query(async ({ ctx }) => (await listMcpServers(ctx.workspaceId)).map(toServerView));
