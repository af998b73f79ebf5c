import { z } from "zod";
import { bundleDigest } from "@/lib/graph/bundle";
import { validateGraph } from "@/lib/graph/validate";
import { hexDigestSchema } from "@/lib/hash";
import { toPlainJson } from "@/lib/json";
import { getRegistryContext } from "@/server/store/mcp/registry-context";
import { createProcedure } from "@/server/trpc/init";
import { readNameable } from "@/server/web/nameable";

const MAX_BYTES = 4_194_304;
const MAX_DEPTH = 64;

/** Anything, since invalid graphs are the question. */
const documentSchema = z.unknown().transform((value, context) => {
  const copy = toPlainJson(value, { maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH });
  if (copy.ok) return copy.value;
  context.addIssue({ code: "custom", message: copy.error });

  return z.NEVER;
});

/** A mutation, because documents exceed address lengths. */
export const graphCheck = createProcedure("graph.read")
  .input(z.strictObject({ document: documentSchema, versions: z.array(hexDigestSchema).max(500).default([]) }))
  .mutation(async ({ ctx, input }) => {
    const [context, nameable] = await Promise.all([getRegistryContext(ctx.workspaceId, input.versions), readNameable(ctx.workspaceId)]);

    return { problems: validateGraph(input.document, { ...context, ...nameable }), bundle: bundleDigest() };
  });
