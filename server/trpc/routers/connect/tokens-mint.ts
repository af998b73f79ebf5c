import { z } from "zod";
import { AppError } from "@/lib/errors";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { AGENT_SCOPES, findTokenObjection } from "@/lib/engine/principal";
import { integritySchema } from "@/lib/graph/label";
import { DEFAULT_TOKEN_LIMITS, tokenLimitsSchema } from "@/lib/outside/token-limits";
import { mintToken } from "@/server/outside/token";
import { listDrivenGraphs } from "@/server/outside/graphs";
import { visibleNameSchema } from "@/lib/visible-name";
import { createProcedure } from "@/server/trpc/init";

const DAY_MS = 86_400_000;

const input = z.strictObject({
  name: visibleNameSchema(120),
  scopes: z.array(z.enum(AGENT_SCOPES)).min(1).max(AGENT_SCOPES.length),
  /** Null: every driven graph, future ones included. */
  graphs: z.array(z.uuid()).min(1).max(200).nullable(),
  integrity: integritySchema.default("untrusted"),
  /** Answers refusals with `isError`. */
  strictErrors: z.boolean().default(false),
  singleBlock: z.boolean().default(false),
  /** Per 24 hours. */
  limits: tokenLimitsSchema.default(DEFAULT_TOKEN_LIMITS),
  expiresInDays: z.number().int().min(1).max(365),
  signed: adminSignatureSchema.exactOptional(),
});

/** Token is readable only in this answer. */
export const connectTokensMint = createProcedure("connect.manage", { fresh: true })
  .input(input)
  .mutation(async ({ ctx, input: wanted }) => {
    const objection = findTokenObjection(ctx.role, wanted);
    if (objection !== null) throw new AppError("forbidden", { message: objection });
    const driven = new Set((await listDrivenGraphs(ctx.workspaceId)).map(({ graphId }) => graphId));
    if (wanted.graphs?.some((graph) => !driven.has(graph))) throw new AppError("not_found");
    const { expiresInDays, signed, scopes, graphs, ...rest } = wanted;
    const minting = {
      ...rest,
      scopes: [...new Set(scopes)],
      graphs: graphs && [...new Set(graphs)],
      lifetimeMs: expiresInDays * DAY_MS,
    };
    const { id, token, hint, expiresAt } = await mintToken(ctx.workspaceId, ctx.author, minting, signed);

    return { id, token, hint, expiresAt };
  });
