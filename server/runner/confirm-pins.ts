/** Tool labels of a published version. */
import { AppError } from "@/lib/errors";
import type { PinnedTool } from "@/lib/graph/document";
import { canonicalJson } from "@/lib/json";
import { readConfirmedServer } from "@/server/mcp/confirmed-server";
import { mcpPolicy } from "@/server/security/mcp-policy";
import type { AuthorityReader } from "@/server/store/trust/authority";
import { pinnedToolsOf } from "@/server/store/mcp/servers";

/** Requires tool labels as in the signed records. @throws ProjectionMismatch, AuthorityUnverified, AppError `conflict` */
export const confirmPins = async (authority: AuthorityReader, workspaceId: string, tools: readonly PinnedTool[]): Promise<void> => {
  for (const [server, used] of Map.groupBy(tools, (tool) => tool.server)) {
    const row = await readConfirmedServer({ authority, egress: mcpPolicy() }, workspaceId, server);
    const pinned = new Set(pinnedToolsOf(row ? [row] : []).map((tool) => canonicalJson(tool)));
    if (!used.every((tool) => pinned.has(canonicalJson(tool)))) throw new AppError("conflict");
  }
};
