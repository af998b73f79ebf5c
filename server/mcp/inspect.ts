/** Connects to a registered server, whatever its status, lists its tools and keeps what it said. Calls no tool. */
import { AppError } from "@/lib/errors";
import { driftOf, type ToolDrift } from "@/lib/mcp/drift";
import type { HexDigest } from "@/lib/hash";
import type { EgressPolicy } from "@/server/security/egress-url";
import type { McpServerRow } from "@/server/store/mcp-row";
import { getMcpServer, saveMcpError, saveSeenTools, suspendMcpServer } from "@/server/store/mcp";
import { digestsOf, type Catalog } from "./catalog";
import type { Manager } from "./manager";

/** The tools of a server as they were reviewed. */
export const pinsOf = (server: McpServerRow): ReadonlyMap<string, HexDigest> =>
  new Map(server.tools.flatMap(({ name, pinnedDigest }) => (pinnedDigest === null ? [] : [[name, pinnedDigest] as const])));

/** Stores what was seen; if that is not what was reviewed, the server suspends by itself. */
export const noteCatalog = async (
  workspaceId: string,
  server: McpServerRow,
  catalog: Catalog,
  protocol: string | null,
): Promise<readonly ToolDrift[]> => {
  await saveSeenTools(workspaceId, server.id, [...catalog.values()], protocol);
  const pins = pinsOf(server);
  const drift = pins.size === 0 ? [] : driftOf(pins, digestsOf(catalog));
  if (drift.length > 0) await suspendMcpServer(workspaceId, server.id, "The server's tools are not the reviewed ones.");

  return drift;
};

/** The connection of a registered server and its catalog. @throws AppError egress_blocked, manifest_invalid or server_unreachable, after noting it */
export const reach = async (manager: Manager, workspaceId: string, server: McpServerRow, fresh: boolean) => {
  try {
    if (!server.transport) throw new AppError("manifest_invalid", { message: "The stored way to reach the server is not valid." });
    const connection = await manager.open(workspaceId, server.id, server.transport, server.access);

    return { connection, catalog: await connection.catalog({ fresh }) };
  } catch (cause) {
    const error = cause instanceof AppError ? cause : new AppError("server_unreachable", { cause });
    await saveMcpError(workspaceId, server.id, error.message);
    throw error;
  }
};

/** @returns how the server's tools differ from the reviewed ones; nothing before the first review */
export const inspectServer = async (
  manager: Manager,
  workspaceId: string,
  id: string,
  egress: EgressPolicy,
): Promise<readonly ToolDrift[]> => {
  const server = await getMcpServer(workspaceId, id, egress);
  if (!server) throw new AppError("not_found");
  if (server.status === "revoked") throw new AppError("conflict", { message: "The server is revoked." });
  const { connection, catalog } = await reach(manager, workspaceId, server, true);

  return noteCatalog(workspaceId, server, catalog, connection.protocol);
};
