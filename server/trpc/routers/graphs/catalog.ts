import { z } from "zod";
import { bundleDigest } from "@/lib/graph/bundle";
import { hexDigestSchema } from "@/lib/hash";
import { getRegistryContext } from "@/server/store/mcp/registry-context";
import { createProcedure } from "@/server/trpc/init";
import { readNameable } from "@/server/web/nameable";

/** Graphs are complete: the canvas applies publishing's rules, of version `bundle`. */
export const graphCatalog = createProcedure("graph.read")
  .input(z.strictObject({ versions: z.array(hexDigestSchema).max(500).default([]) }).prefault({}))
  .query(async ({ ctx, input }) => {
    const [context, nameable] = await Promise.all([getRegistryContext(ctx.workspaceId, input.versions), readNameable(ctx.workspaceId)]);

    return { ...context, ...nameable, bundle: bundleDigest() };
  });
