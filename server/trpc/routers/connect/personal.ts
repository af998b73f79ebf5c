import { z } from "zod";
import { isPersonal } from "@/lib/engine/principal";
import { AppError } from "@/lib/errors";
import { PERSONAL_DAYS, toPersonalToken } from "@/lib/outside/personal-token";
import { systemClock } from "@/server/clock";
import { getAgentToken, listAgentTokens } from "@/server/store/agents/tokens";
import { listGraphs } from "@/server/store/graphs/graphs";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";
import { mintWanted, wantedShape } from "./mint";
import { toStatus } from "./status";

export const personalList = createProcedure("settings.own").query(async ({ ctx }) => {
  const own = await listAgentTokens(ctx.workspaceId, ctx.user.id);
  const nowMs = systemClock.now();

  return own
    .filter((token) => isPersonal(token.scopes) && toStatus(token, nowMs) === "active")
    .map(({ id, name, hint, graphs, expiresAt, lastUsedAt }) => ({ id, name, hint, graphs, expiresAt, lastUsedAt }));
});

const input = z.strictObject({ ...wantedShape, expiresInDays: z.number().int().min(1).max(PERSONAL_DAYS) });

export const personalCreate = createProcedure("approval.decide", { fresh: true })
  .input(input)
  .mutation(async ({ ctx, input: { signed, ...wanted } }) => {
    const graphs = await listGraphs(ctx.workspaceId);

    return mintWanted(
      ctx,
      toPersonalToken(wanted),
      signed,
      graphs.map(({ id }) => id),
    );
  });

export const personalRevoke = createProcedure("settings.own")
  .input(z.strictObject({ tokenId: z.uuid() }))
  .mutation(async ({ ctx, input: { tokenId } }) => {
    const token = await getAgentToken(ctx.workspaceId, tokenId);
    if (token?.ownerId !== ctx.user.id || !isPersonal(token.scopes)) throw new AppError("not_found");

    return submitToWorkspace(ctx, { kind: "token_revoke", token: tokenId });
  });
