import { z } from "zod";
import { modelChangeSchema } from "@/lib/model-change";
import { createProcedure } from "@/server/trpc/init";
import { submitModelChange } from "./submit";

const input = modelChangeSchema.refine(({ type }) => type !== "test", "A test is asked for by models.test.");

export const modelsChange = createProcedure("model.manage", { fresh: true })
  .input(z.strictObject({ change: input }))
  .mutation(({ ctx, input: { change } }) => submitModelChange(ctx.workspaceId, ctx.author, change));
