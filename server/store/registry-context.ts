/** The registry as a graph's author may use it. Canvas and publishing look at the same. */
import type { Agent, PinnedTool } from "@/lib/graph/document";
import type { HexDigest } from "@/lib/hash";
import { listAgents } from "./agents";
import { usableVersions, type UsableVersion } from "./graph-versions";
import { listPinnedTools } from "./mcp";

export type RegistryContext = {
  readonly agents: readonly Agent[];
  readonly tools: readonly PinnedTool[];
  readonly versions: readonly UsableVersion[];
};

/** A `ValidationContext`. @param named versions that a draft names, which are among `versions` also when they are not the newest */
export const registryContext = async (workspaceId: string, named: readonly HexDigest[] = []): Promise<RegistryContext> => {
  const [agents, tools, versions] = await Promise.all([
    listAgents(workspaceId),
    listPinnedTools(workspaceId),
    usableVersions(workspaceId, named),
  ]);

  return { agents: agents.map((row) => row.agent), tools, versions };
};
