import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/errors";
import { PINNABLE } from "@/lib/mcp/status";
import type { StdioManifest } from "@/lib/mcp/program";
import type { McpService } from "@/server/mcp/service";
import { addMcpServer, getMcpServer, moveMcpServer, pinMcpTools, setMcpAllowedAgents } from "@/server/store/mcp/servers";
import type { McpServerRow } from "@/server/store/mcp/row";
import { queryOn } from "@/server/testing/connections";

/** Runs a statement as a database attacker could. */
export const asAdmin = async (adminUrl: string, sql: string, values: unknown[] = []): Promise<void> => {
  await queryOn(adminUrl, sql, values);
};

export const testWorkspace = async (adminUrl: string): Promise<string> => {
  const id = randomUUID();
  await asAdmin(adminUrl, "insert into workspace (id, name) values ($1, 'test')", [id]);

  return id;
};

/** The row must exist. */
export const serverRow = async (workspaceId: string, id: string, mcp: McpService): Promise<McpServerRow> => {
  const row = await getMcpServer(workspaceId, id, mcp.egress);
  if (!row) throw new AppError("not_found");

  return row;
};

/** Reviews and activates a server. */
export const reviewAndActivate = async (
  workspaceId: string,
  id: string,
  mcp: McpService,
  agents: readonly string[],
): Promise<McpServerRow> => {
  const seen = await serverRow(workspaceId, id, mcp);
  const expect = new Map(seen.tools.flatMap((tool) => (tool.seenDigest ? [[tool.name, tool.seenDigest] as const] : [])));
  const pinned = await pinMcpTools(workspaceId, id, seen.revision, expect, PINNABLE, mcp.egress);
  const allowed = await setMcpAllowedAgents(workspaceId, id, pinned, agents);
  await moveMcpServer(workspaceId, id, allowed, { from: ["reviewed"], to: "active" });

  return serverRow(workspaceId, id, mcp);
};

type Registration = { readonly id: string; readonly manifest: StdioManifest; readonly agents: readonly string[] };

/** Brings a stdio server into use. */
export const activeServer = async (workspaceId: string, mcp: McpService, { id, manifest, agents }: Registration): Promise<McpServerRow> => {
  await addMcpServer(workspaceId, { id, name: id, transport: { type: "stdio", manifest } });
  await mcp.inspect(workspaceId, id);

  return reviewAndActivate(workspaceId, id, mcp, agents);
};
