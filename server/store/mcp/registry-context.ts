/** The registry as a graph's author may use it. Canvas and publishing look at the same. */
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

/** The bundled server that is given a connection string, and whatever is told one of our secrets. */
const holdsCredential = ({ transport, access }: McpServerRow): boolean => {
  if (transport?.type !== "stdio") return secretsOfAccess(access).length > 0;

  return transport.manifest.program === "customers" || secretsOfManifest(transport.manifest).length > 0;
};

const placeOf = (server: McpServerRow): ServerPlace => ({
  id: server.id,
  host: server.transport?.type === "http" ? new URL(server.transport.url).host : null,
  credential: holdsCredential(server),
});

/** Where each server of the workspace is. */
export const serverPlaces = async (workspaceId: string): Promise<readonly ServerPlace[]> =>
  (await listMcpServers(workspaceId)).map(placeOf);

/** A `ValidationContext`. @param named versions that a draft names, which are among `versions` also when they are not the newest */
export const registryContext = async (workspaceId: string, named: readonly HexDigest[] = []): Promise<RegistryContext> => {
  const [agents, servers, versions] = await Promise.all([
    listAgents(workspaceId),
    listMcpServers(workspaceId),
    usableVersions(workspaceId, named),
  ]);

  return { agents: agents.map((row) => row.agent), tools: pinnedToolsOf(servers), versions, servers: servers.map(placeOf) };
};
