import { z } from "zod";
import { AppError } from "@/lib/errors";
import { namedVersions, publishedGraphOf } from "@/lib/graph/publish";
import { hasErrors, validateGraph } from "@/lib/graph/validate";
import { uuidSchema } from "@/lib/ids";
import { publishVersion } from "@/server/store/graph-versions";
import { getGraph } from "@/server/store/graphs";
import { procedure } from "@/server/trpc/init";
import { registryContext } from "./registry-context";

/** Freezes the newest draft, if it is still the one that was looked at and the validator finds no error in it. */
export const graphPublish = procedure("graph.publish")
  .input(z.strictObject({ id: uuidSchema, revision: z.number().int().min(1) }))
  .mutation(async ({ ctx, input }) => {
    const draft = await getGraph(ctx.workspaceId, input.id);
    if (!draft) throw new AppError("not_found");
    if (draft.revision !== input.revision) throw new AppError("conflict");
    const context = await registryContext(ctx.workspaceId, namedVersions(draft.document));
    const problems = validateGraph(draft.document, context);
    if (hasErrors(problems)) return { status: "invalid_graph" as const, problems };
    const published = publishedGraphOf(draft.document, context);
    const version = await publishVersion(ctx.workspaceId, { graphId: draft.id, published, authorId: ctx.user.id });

    return { status: "published" as const, version, problems };
  });
