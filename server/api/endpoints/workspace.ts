import { NO_USE, toUsed } from "@/lib/outside/token-limits";
import { isBoundTo } from "@/server/api/account";
import type { Handlers } from "@/server/api/endpoint";
import { systemClock } from "@/server/clock";
import { getLimits } from "@/server/outside/token-limits";
import { countTokenUses } from "@/server/store/agents/token-use";
import { listRunFigures } from "@/server/store/graphs/run-figures";
import { listMcpServers } from "@/server/store/mcp/servers";
import { listMembers } from "@/server/store/people/members";
import { readUsage } from "@/server/store/usage/usage";
import { toServerView } from "@/server/trpc/routers/mcp/view";

export const WORKSPACE: Handlers<"listServers" | "listPeople" | "getUsage"> = {
  listServers: async ({ account }) => ({
    items: (await listMcpServers(account.workspaceId)).map((server) => {
      const { tools, ...view } = toServerView(server, "viewer");

      return {
        ...view,
        tools: tools.map(({ name, effect, pinned, blockedAt }) => ({
          name,
          effect,
          isReviewed: pinned !== null,
          isBlocked: blockedAt !== null,
        })),
      };
    }),
  }),

  listPeople: async ({ account }) => ({
    items: (await listMembers(account.workspaceId, new Date(systemClock.now()))).map((member) => ({
      ...member,
      disabled: member.disabledAt !== null,
    })),
  }),

  getUsage: async ({ account, query }) => {
    const { workspaceId, token } = account;
    const now = systemClock.now();
    const [uses, figures, report] = await Promise.all([
      countTokenUses(workspaceId, [token.id], now),
      listRunFigures(workspaceId),
      readUsage({ workspaceId, onlyPerson: token.ownerId, graphs: token.graphs }, query, now),
    ]);

    return {
      limits: getLimits(token),
      used: toUsed(uses.get(token.id) ?? NO_USE),
      graphs: figures.filter(({ graphId }) => isBoundTo(account, graphId)),
      report,
    };
  },
};
