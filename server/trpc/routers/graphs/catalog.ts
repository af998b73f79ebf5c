import { z } from "zod";
import { bundleDigest } from "@/lib/graph/bundle";
import { hexDigestSchema } from "@/lib/hash";
import { getRegistryContext } from "@/server/store/mcp/registry-context";
import { createProcedure } from "@/server/trpc/init";

/**
 * Agents, pinned tools and published graphs for nodes. Graphs are complete, because the canvas validates them with publishing's rules.
 * `bundle`: version of those rules. `versions`: named by the document.
 */
export const graphCatalog = createProcedure("graph.read")
  .input(z.strictObject({ versions: z.array(hexDigestSchema).max(500).default([]) }).prefault({}))
  .query(async ({ ctx, input }) => ({ ...(await getRegistryContext(ctx.workspaceId, input.versions)), bundle: bundleDigest() }));
