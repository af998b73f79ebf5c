import type { Agent, PinnedTool } from "@/lib/graph/document";
import type { ServerPlace, ServerStanding } from "@/lib/graph/facts/facts";
import type { HexDigest } from "@/lib/hash";
import { listSecretNames } from "@/lib/mcp/secret-names";
import { isToolLabelled } from "@/lib/mcp/label-proposal";
import { findPresence, isGone } from "@/lib/mcp/program-presence";
import type { ProviderKind } from "@/lib/model-provider";
import { UNUSABLE_REASONS } from "@/lib/mcp/unusable-tool";
import { listAgents } from "@/server/store/agents/agents";
import { listUsableVersions, type UsableVersion } from "@/server/store/graphs/versions";
import { listProgramReports } from "@/server/store/health";
import { getModelSettings } from "@/server/store/workspaces/model-settings";
import { listMcpServers, collectPinnedTools } from "./servers";
import type { McpServerRow } from "./row";

export type RegistryContext = {
  readonly agents: readonly Agent[];
  readonly tools: readonly PinnedTool[];
  readonly versions: readonly UsableVersion[];
  readonly servers: readonly ServerPlace[];
  readonly providers: Readonly<Record<string, ProviderKind>>;
};

/** A bundled server's connection string, or our secrets. */
const holdsCredential = ({ transport, access }: McpServerRow): boolean => {
  if (transport?.type === "stdio" && transport.manifest.program === "customers") return true;

  return listSecretNames({ transport, access }).length > 0;
};

type Reports = Parameters<typeof findPresence>[1];

const standingOf = (server: McpServerRow, reports: Reports): ServerStanding => ({
  status: server.status,
  callers: server.allowedAgents,
  switchedOff: server.tools.flatMap(({ name, blockedAt }) => (blockedAt === null ? [] : [name])),
  unlabelled: server.tools.flatMap((tool) => (isToolLabelled(tool) ? [] : [tool.name])),
  unusable: server.unusable.map(({ name, reason }) => ({ name, reason: UNUSABLE_REASONS[reason] })),
  isGone: isGone(findPresence(server.transport, reports)),
});

const placeOf = (server: McpServerRow): ServerPlace => ({
  id: server.id,
  host: server.transport?.type === "http" ? new URL(server.transport.url).host : null,
  credential: holdsCredential(server),
});

export const listServerPlaces = async (workspaceId: string): Promise<readonly ServerPlace[]> =>
  (await listMcpServers(workspaceId)).map(placeOf);

/** @param named included even when outdated */
export const getRegistryContext = async (workspaceId: string, named: readonly HexDigest[] = []): Promise<RegistryContext> => {
  const [agents, servers, versions, reports, { settings }] = await Promise.all([
    listAgents(workspaceId),
    listMcpServers(workspaceId),
    listUsableVersions(workspaceId, named),
    listProgramReports(),
    getModelSettings(workspaceId),
  ]);
  const places = servers.map((server) => ({ ...placeOf(server), standing: standingOf(server, reports) }));

  const providers = Object.fromEntries(settings.providers.map(({ id, kind }) => [id, kind]));

  return { agents: agents.map((row) => row.agent), tools: collectPinnedTools(servers), versions, servers: places, providers };
};
