import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { isPersonal } from "@/lib/engine/principal";
import { AppError } from "@/lib/errors";
import { PERSONAL_DAYS, toPersonalToken } from "@/lib/outside/personal-token";
import { visibleNameSchema } from "@/lib/visible-name";
import { systemClock } from "@/server/clock";
import { mintToken } from "@/server/outside/token";
import { getAgentToken, listAgentTokens } from "@/server/store/agents/tokens";
import { listGraphs } from "@/server/store/graphs/graphs";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";
import { toStatus } from "./status";

/** The reader's active personal tokens. */
export const personalList = createProcedure("settings.own").query(async ({ ctx }) => {
  const own = await listAgentTokens(ctx.workspaceId, ctx.user.id);
  const nowMs = systemClock.now();

  return own
    .filter((token) => isPersonal(token.scopes) && toStatus(token, nowMs) === "active")
    .map(({ id, name, hint, graphs, expiresAt, lastUsedAt }) => ({ id, name, hint, graphs, expiresAt, lastUsedAt }));
});

const input = z.strictObject({
  name: visibleNameSchema(120),
  /** Null: every graph, future ones included. */
  graphs: z.array(z.uuid()).min(1).max(200).nullable(),
  expiresInDays: z.number().int().min(1).max(PERSONAL_DAYS),
  signed: adminSignatureSchema.exactOptional(),
});

/** Token is readable only in this answer. */
export const personalCreate = createProcedure("approval.decide", { fresh: true })
  .input(input)
  .mutation(async ({ ctx, input: { signed, ...wanted } }) => {
    const known = new Set((await listGraphs(ctx.workspaceId)).map(({ id }) => id));
    if (wanted.graphs?.some((graph) => !known.has(graph))) throw new AppError("not_found");

    return mintToken(ctx.workspaceId, ctx.author, toPersonalToken(wanted), signed);
  });

export const personalRevoke = createProcedure("settings.own")
  .input(z.strictObject({ tokenId: z.uuid() }))
  .mutation(async ({ ctx, input: { tokenId } }) => {
    const token = await getAgentToken(ctx.workspaceId, tokenId);
    if (token?.ownerId !== ctx.user.id || !isPersonal(token.scopes)) throw new AppError("not_found");

    return submitToWorkspace(ctx, { kind: "token_revoke", token: tokenId });
  });
