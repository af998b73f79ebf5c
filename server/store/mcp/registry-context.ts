import type { Agent, PinnedTool } from "@/lib/graph/document";
import type { ServerPlace } from "@/lib/graph/facts/facts";
import type { HexDigest } from "@/lib/hash";
import { listAccessSecrets } from "@/lib/mcp/access";
import { listManifestSecrets } from "@/lib/mcp/program";
import { listAgents } from "@/server/store/agents/agents";
import { listUsableVersions, type UsableVersion } from "@/server/store/graphs/versions";
import { listMcpServers, collectPinnedTools } from "./servers";
import type { McpServerRow } from "./row";

export type RegistryContext = {
  readonly agents: readonly Agent[];
  readonly tools: readonly PinnedTool[];
  readonly versions: readonly UsableVersion[];
  readonly servers: readonly ServerPlace[];
};

/** A bundled server's connection string, or our secrets. */
const holdsCredential = ({ transport, access }: McpServerRow): boolean => {
  if (transport?.type !== "stdio") return listAccessSecrets(access).length > 0;

  return transport.manifest.program === "customers" || listManifestSecrets(transport.manifest).length > 0;
};

const placeOf = (server: McpServerRow): ServerPlace => ({
  id: server.id,
  host: server.transport?.type === "http" ? new URL(server.transport.url).host : null,
  credential: holdsCredential(server),
});

/** Each server's place. */
export const listServerPlaces = async (workspaceId: string): Promise<readonly ServerPlace[]> =>
  (await listMcpServers(workspaceId)).map(placeOf);

/** Builds a `ValidationContext`. @param named included even when outdated */
export const getRegistryContext = async (workspaceId: string, named: readonly HexDigest[] = []): Promise<RegistryContext> => {
  const [agents, servers, versions] = await Promise.all([
    listAgents(workspaceId),
    listMcpServers(workspaceId),
    listUsableVersions(workspaceId, named),
  ]);

  return { agents: agents.map((row) => row.agent), tools: collectPinnedTools(servers), versions, servers: servers.map(placeOf) };
};
