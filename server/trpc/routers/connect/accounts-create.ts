import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { findTokenObjection, serviceScopeSchema } from "@/lib/engine/principal";
import { AppError } from "@/lib/errors";
import { integritySchema } from "@/lib/graph/label";
import { DAY_MS, DEFAULT_TOKEN_LIMITS, tokenLimitsSchema } from "@/lib/outside/token-limits";
import { visibleNameSchema } from "@/lib/visible-name";
import { mintToken } from "@/server/outside/token";
import { listGraphs } from "@/server/store/graphs/graphs";
import { createProcedure } from "@/server/trpc/init";

const input = z.strictObject({
  name: visibleNameSchema(120),
  scopes: z.array(serviceScopeSchema).min(1).max(serviceScopeSchema.options.length),
  /** Null: every graph, future ones included. */
  graphs: z.array(z.uuid()).min(1).max(200).nullable(),
  integrity: integritySchema.default("untrusted"),
  /** Per 24 hours. */
  limits: tokenLimitsSchema.default(DEFAULT_TOKEN_LIMITS),
  expiresInDays: z.number().int().min(1).max(365),
  signed: adminSignatureSchema.exactOptional(),
});

/** Token is readable only in this answer. */
export const connectAccountsCreate = createProcedure("connect.manage", { fresh: true })
  .input(input)
  .mutation(async ({ ctx, input: { expiresInDays, signed, scopes, graphs, ...rest } }) => {
    const objection = findTokenObjection(ctx.role, { ...rest, scopes });
    if (objection !== null) throw new AppError("forbidden", { message: objection });
    const known = new Set((await listGraphs(ctx.workspaceId)).map(({ id }) => id));
    if (graphs?.some((graph) => !known.has(graph))) throw new AppError("not_found");

    return mintToken(
      ctx.workspaceId,
      ctx.author,
      {
        ...rest,
        strictErrors: false,
        singleBlock: false,
        scopes: [...new Set(scopes)],
        graphs: graphs && [...new Set(graphs)],
        lifetimeMs: expiresInDays * DAY_MS,
      },
      signed,
    );
  });
