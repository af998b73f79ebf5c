import { NO_USE, toUsed } from "@/lib/outside/token-limits";
import { systemClock } from "@/server/clock";
import { getLimits } from "@/server/outside/token-limits";
import { listAgentTokens } from "@/server/store/agents/tokens";
import { countTokenUses } from "@/server/store/agents/token-use";
import { createProcedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";

export const connectTokensList = createProcedure("connect.read").query(async ({ ctx }) => {
  const tokens = await listAgentTokens(ctx.workspaceId, ownOnly(ctx));
  const at = systemClock.now();
  const uses = await countTokenUses(
    ctx.workspaceId,
    tokens.map(({ id }) => id),
    at,
  );

  return tokens.map((token) => ({
    id: token.id,
    name: token.name,
    hint: token.hint,
    scopes: token.scopes,
    graphs: token.graphs,
    integrity: token.integrity,
    strictErrors: token.strictErrors,
    singleBlock: token.singleBlock,
    limits: getLimits(token),
    used: toUsed(uses.get(token.id) ?? NO_USE),
    owner: token.ownerId,
    ownerName: token.ownerName,
    createdAt: token.createdAt,
    expiresAt: token.expiresAt,
    revokedAt: token.revokedAt,
    lastUsedAt: token.lastUsedAt,
    status: token.revokedAt !== null ? ("revoked" as const) : token.expiresAt <= at ? ("expired" as const) : ("active" as const),
  }));
});
