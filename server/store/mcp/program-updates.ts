import type { PinnedIdentity } from "@/lib/mcp/identity";
import { DRIFTS } from "@/lib/mcp/status";
import type { McpTransport } from "@/lib/mcp/transport";
import { getDatabase } from "@/server/db/client";
import type { EgressPolicy } from "@/server/security/egress-url";
import { getMcpPolicy } from "@/server/security/mcp-policy";
import { readServer, type McpServerRow } from "./row";
import { swap } from "./servers";
import { inStep, type RecordStep } from "./settings";

export type ServerPlace = { readonly workspaceId: string; readonly id: string };

export const listProgramServers = (): Promise<readonly ServerPlace[]> =>
  getDatabase().mcpServer.findMany({
    where: { status: { in: [...DRIFTS] }, transport: { path: ["type"], equals: "stdio" } },
    orderBy: [{ workspaceId: "asc" }, { id: "asc" }],
    select: { workspaceId: true, id: true },
  });

export type RegisteredUse = { readonly workspaceId: string; readonly server: McpServerRow };

export const listServersOfProgram = async (program: string, egress: EgressPolicy = getMcpPolicy()): Promise<readonly RegisteredUse[]> => {
  const rows = await getDatabase().mcpServer.findMany({
    where: { status: { not: "revoked" }, transport: { path: ["manifest", "program"], equals: program } },
    orderBy: [{ workspaceId: "asc" }, { id: "asc" }],
    include: { tools: { orderBy: { name: "asc" } } },
  });

  return rows.map((row) => ({ workspaceId: row.workspaceId, server: readServer(row, egress) }));
};

type Next = { readonly transport: McpTransport } & ({ readonly identity: PinnedIdentity } | { readonly reason: string });

/** @throws AppError("conflict") */
export const replaceMcpProgram = (
  workspaceId: string,
  { id, revision }: McpServerRow,
  { transport, ...next }: Next,
  record: RecordStep,
): Promise<number> =>
  inStep(workspaceId, id, record, (tx) =>
    swap(
      tx,
      { workspaceId, id, revision, status: { in: [...DRIFTS] } },
      "identity" in next ? { transport, pinnedIdentity: next.identity } : { transport, status: "drifted", lastError: next.reason },
    ),
  );
