import { z } from "zod";
import { serviceScopeSchema } from "@/lib/engine/principal";
import { DAY_MS } from "@/lib/outside/token-limits";
import { listGraphs } from "@/server/store/graphs/graphs";
import { createProcedure } from "@/server/trpc/init";
import { actingShape, mintWanted } from "./mint";

const input = z.strictObject({ ...actingShape, scopes: z.array(serviceScopeSchema).min(1).max(serviceScopeSchema.options.length) });

export const connectAccountsCreate = createProcedure("connect.manage", { fresh: true })
  .input(input)
  .mutation(async ({ ctx, input: { expiresInDays, signed, ...wanted } }) => {
    const graphs = await listGraphs(ctx.workspaceId);
    const minting = { ...wanted, strictErrors: false, singleBlock: false, lifetimeMs: expiresInDays * DAY_MS };

    return mintWanted(
      ctx,
      minting,
      signed,
      graphs.map(({ id }) => id),
    );
  });
