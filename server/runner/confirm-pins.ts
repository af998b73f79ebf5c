import { AppError } from "@/lib/errors";
import type { PinnedTool } from "@/lib/graph/document";
import { toCanonicalJson } from "@/lib/json";
import { readConfirmedServer } from "@/server/mcp/confirmed-server";
import { getMcpPolicy } from "@/server/security/mcp-policy";
import type { AuthorityReader } from "@/server/store/trust/authority";
import { collectPinnedTools } from "@/server/store/mcp/servers";

/** Requires recorded tool labels. @throws ProjectionMismatch, AuthorityUnverified, AppError `conflict` */
export const confirmPins = async (authority: AuthorityReader, workspaceId: string, tools: readonly PinnedTool[]): Promise<void> => {
  for (const [server, used] of Map.groupBy(tools, (tool) => tool.server)) {
    const row = await readConfirmedServer({ authority, egress: getMcpPolicy() }, workspaceId, server);
    const pinned = new Set(collectPinnedTools(row ? [row] : []).map((tool) => toCanonicalJson(tool)));
    if (!used.every((tool) => pinned.has(toCanonicalJson(tool)))) throw new AppError("conflict");
  }
};
