import { z } from "zod";
import { AGENT_SCOPES } from "@/lib/engine/principal";
import { DAY_MS } from "@/lib/outside/token-limits";
import { listDrivenGraphs } from "@/server/outside/graphs";
import { createProcedure } from "@/server/trpc/init";
import { actingShape, mintWanted } from "./mint";

const input = z.strictObject({
  ...actingShape,
  scopes: z.array(z.enum(AGENT_SCOPES)).min(1).max(AGENT_SCOPES.length),
  /** Answers refusals with `isError`. */
  strictErrors: z.boolean().default(false),
  singleBlock: z.boolean().default(false),
});

export const connectTokensMint = createProcedure("connect.manage", { fresh: true })
  .input(input)
  .mutation(async ({ ctx, input: { expiresInDays, signed, ...wanted } }) => {
    const driven = await listDrivenGraphs(ctx.workspaceId);
    const usable = driven.map(({ graphId }) => graphId);

    return mintWanted(ctx, { ...wanted, lifetimeMs: expiresInDays * DAY_MS }, signed, usable);
  });
