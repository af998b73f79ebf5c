import { z } from "zod";
import { AppError } from "@/lib/errors";
import { uuidSchema } from "@/lib/ids";
import { visibleNameSchema } from "@/lib/visible-name";
import { fileGraph, setGraphDeleted } from "@/server/store/graphs/graphs";
import { createProcedure } from "@/server/trpc/init";

const tagsSchema = z
  .array(visibleNameSchema(40))
  .max(10)
  .refine((tags) => new Set(tags).size === tags.length, "Each tag appears once.");

/** Sets the tags, or makes the caller the owner. Neither changes who may do what. */
export const graphFile = createProcedure("graph.edit")
  .input(z.strictObject({ id: uuidSchema, tags: tagsSchema.optional(), own: z.literal(true).optional() }))
  .mutation(async ({ ctx, input: { id, tags, own } }) => {
    const change = { ...(tags === undefined ? {} : { tags }), ...(own === true ? { ownerId: ctx.user.id } : {}) };
    if (!(await fileGraph(ctx.workspaceId, id, change))) throw new AppError("not_found");
  });

const idInput = z.strictObject({ id: uuidSchema });

/** Hides a graph and stops its starts; drafts, versions, runs and records stay. */
export const graphRemove = createProcedure("graph.edit")
  .input(idInput)
  .mutation(async ({ ctx, input: { id } }) => {
    if (!(await setGraphDeleted(ctx.workspaceId, id, true))) throw new AppError("not_found");
  });

export const graphRestore = createProcedure("graph.edit")
  .input(idInput)
  .mutation(async ({ ctx, input: { id } }) => {
    if (!(await setGraphDeleted(ctx.workspaceId, id, false))) throw new AppError("not_found");
  });
