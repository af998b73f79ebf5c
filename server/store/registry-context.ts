/** The registry as a graph's author may use it. Canvas and publishing look at the same. */
import type { Agent, PinnedTool } from "@/lib/graph/document";
import type { ServerPlace } from "@/lib/graph/problems/facts";
import type { HexDigest } from "@/lib/hash";
import { listAgents } from "./agents";
import { usableVersions, type UsableVersion } from "./graph-versions";
import { listMcpServers, pinnedToolsOf } from "./mcp";
import type { McpServerRow } from "./mcp-row";

export type RegistryContext = {
  readonly agents: readonly Agent[];
  readonly tools: readonly PinnedTool[];
  readonly versions: readonly UsableVersion[];
  readonly servers: readonly ServerPlace[];
};

/** The bundled server that is given a connection string; no other one gets anything of ours to act with. */
const holdsCredential = ({ transport }: McpServerRow): boolean =>
  transport?.type === "stdio" && transport.manifest.source === "bundled" && transport.manifest.id === "customers";

const placeOf = (server: McpServerRow): ServerPlace => ({
  id: server.id,
  host: server.transport?.type === "http" ? new URL(server.transport.url).host : null,
  credential: holdsCredential(server),
});

/** A `ValidationContext`. @param named versions that a draft names, which are among `versions` also when they are not the newest */
export const registryContext = async (workspaceId: string, named: readonly HexDigest[] = []): Promise<RegistryContext> => {
  const [agents, servers, versions] = await Promise.all([
    listAgents(workspaceId),
    listMcpServers(workspaceId),
    usableVersions(workspaceId, named),
  ]);

  return { agents: agents.map((row) => row.agent), tools: pinnedToolsOf(servers), versions, servers: servers.map(placeOf) };
};
