/** The registry as a graph's author may use it, for canvas and publishing. */
import type { Agent, PinnedTool } from "@/lib/graph/document";
import type { ServerPlace } from "@/lib/graph/problems/facts";
import type { HexDigest } from "@/lib/hash";
import { secretsOfAccess } from "@/lib/mcp/access";
import { secretsOfManifest } from "@/lib/mcp/program";
import { listAgents } from "@/server/store/agents/agents";
import { usableVersions, type UsableVersion } from "@/server/store/graphs/versions";
import { listMcpServers, pinnedToolsOf } from "./servers";
import type { McpServerRow } from "./row";

export type RegistryContext = {
  readonly agents: readonly Agent[];
  readonly tools: readonly PinnedTool[];
  readonly versions: readonly UsableVersion[];
  readonly servers: readonly ServerPlace[];
};

/** The bundled server with a connection string, and servers that get our secrets. */
const holdsCredential = ({ transport, access }: McpServerRow): boolean => {
  if (transport?.type !== "stdio") return secretsOfAccess(access).length > 0;

  return transport.manifest.program === "customers" || secretsOfManifest(transport.manifest).length > 0;
};

const placeOf = (server: McpServerRow): ServerPlace => ({
  id: server.id,
  host: server.transport?.type === "http" ? new URL(server.transport.url).host : null,
  credential: holdsCredential(server),
});

/** Each server's place. */
export const serverPlaces = async (workspaceId: string): Promise<readonly ServerPlace[]> =>
  (await listMcpServers(workspaceId)).map(placeOf);

/** A `ValidationContext`. @param named versions named by a draft, included in `versions` even when outdated */
export const registryContext = async (workspaceId: string, named: readonly HexDigest[] = []): Promise<RegistryContext> => {
  const [agents, servers, versions] = await Promise.all([
    listAgents(workspaceId),
    listMcpServers(workspaceId),
    usableVersions(workspaceId, named),
  ]);

  return { agents: agents.map((row) => row.agent), tools: pinnedToolsOf(servers), versions, servers: servers.map(placeOf) };
};
