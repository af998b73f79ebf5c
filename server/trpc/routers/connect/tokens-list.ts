import { getEnd } from "@/lib/outside/oauth-grant";
import { getRedirectPlace } from "@/lib/outside/redirect-uri";
import { NO_USE, toUsed } from "@/lib/outside/token-limits";
import { systemClock } from "@/server/clock";
import { getLimits } from "@/server/outside/token-limits";
import { listAgentTokens } from "@/server/store/agents/tokens";
import { countTokenUses } from "@/server/store/agents/token-use";
import { createProcedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";
import { toStatus } from "./status";

export const connectTokensList = createProcedure("connect.read").query(async ({ ctx }) => {
  const tokens = await listAgentTokens(ctx.workspaceId, ownOnly(ctx));
  const at = systemClock.now();
  const uses = await countTokenUses(
    ctx.workspaceId,
    tokens.map(({ id }) => id),
    at,
  );

  return tokens.map(({ publicKey: _key, audience: _audience, oauth, ...token }) => ({
    ...token,
    expiresAt: getEnd({ ...token, oauth }),
    redirectHost: oauth && getRedirectPlace(oauth.redirectUri),
    isOwn: token.ownerId === ctx.user.id,
    limits: getLimits(token),
    used: toUsed(uses.get(token.id) ?? NO_USE),
    status: toStatus({ ...token, expiresAt: getEnd({ ...token, oauth }) }, at),
  }));
});
