import { agentSchema, type Agent } from "@/lib/graph/document";
import { systemClock } from "@/server/clock";
import { runInWorkspace } from "@/server/db/client";

export type AgentRow = {
  readonly agent: Agent;
  readonly revision: number;
  readonly updatedAt: number;
};

const MAX_AGENTS = 1_000;

export const listAgents = (workspaceId: string): Promise<readonly AgentRow[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.agent.findMany({ where: { workspaceId }, orderBy: { id: "asc" }, take: MAX_AGENTS });

    return rows.map((row) => ({ agent: agentSchema.parse(row.body), revision: row.revision, updatedAt: row.updatedAt.getTime() }));
  });

/** Creates or replaces an agent. @param revision null: a new one @returns the new revision, or null on conflict */
export const saveAgent = (workspaceId: string, agent: Agent, revision: number | null): Promise<number | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const updatedAt = new Date(systemClock.now());
    if (revision === null) {
      const { count } = await tx.agent.createMany({ data: [{ workspaceId, id: agent.id, body: agent, updatedAt }], skipDuplicates: true });

      return count === 1 ? 1 : null;
    }
    const { count } = await tx.agent.updateMany({
      where: { workspaceId, id: agent.id, revision },
      data: { body: agent, revision: revision + 1, updatedAt },
    });

    return count === 1 ? revision + 1 : null;
  });
