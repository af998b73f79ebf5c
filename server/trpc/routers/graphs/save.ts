import { z } from "zod";
import { AppError } from "@/lib/errors";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { computeContentHash } from "@/lib/graph/file";
import type { SaveRefusal } from "@/lib/graph/save-refusal";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { saveRevision } from "@/server/store/graphs/graphs";
import { getNames } from "@/server/store/people/people";
import { createProcedure } from "@/server/trpc/init";

const inputSchema = z.strictObject({
  id: uuidSchema,
  revision: z.number().int().min(1),
  /** Detects mixed-up graphs. */
  base: hexDigestSchema.optional(),
  document: graphSchema,
  /** Edits count as the page's person's, even after another sign-in. */
  author: uuidSchema.optional(),
  allowEmpty: z.boolean().default(false),
});

/** Keeps the id and, unless confirmed, the nodes. */
const guard =
  ({ document, base, allowEmpty }: z.infer<typeof inputSchema>) =>
  (newest: Graph): SaveRefusal | null => {
    if (base !== undefined && base !== computeContentHash(newest)) return "other_graph";
    if (newest.nodes.length === 0) return null;
    if (document.id !== newest.id) return "other_graph";

    return document.nodes.length === 0 && !allowEmpty ? "empty_replaces" : null;
  };

/** Appends a revision. A conflict overwrites nothing. */
export const graphSave = createProcedure("graph.edit")
  .input(inputSchema)
  .mutation(async ({ ctx, input }) => {
    const { id, revision, document, author: drawnBy = ctx.user.id } = input;
    if (drawnBy !== ctx.user.id) return { status: "refused" as const, code: "other_person" as const };
    const saved = await saveRevision(ctx.workspaceId, id, { revision, document, authorId: ctx.user.id, guard: guard(input) });
    if (!saved) throw new AppError("not_found");
    if (saved.ok) return { status: "saved" as const, revision: saved.value, hash: computeContentHash(document) };
    if ("refusal" in saved.error) return { status: "refused" as const, code: saved.error.refusal };
    const { authorIds, next, ...newest } = saved.error;
    const names = await getNames(ctx.workspaceId, authorIds);

    return {
      status: "conflict" as const,
      ...newest,
      hash: computeContentHash(newest.document),
      next: next && computeContentHash(next),
      by: authorIds.map((author) => (author === ctx.user.id ? null : (names[author] ?? "a former member"))),
    };
  });
