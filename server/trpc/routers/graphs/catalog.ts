import { z } from "zod";
import { bundleDigest } from "@/lib/graph/bundle";
import { hexDigestSchema } from "@/lib/hash";
import { registryContext } from "@/server/store/mcp/registry-context";
import { procedure } from "@/server/trpc/init";

/**
 * The agents, pinned tools and published graphs that nodes may name: published graphs whole, because the canvas validates
 * with the rules of publishing, and those look inside. `bundle`: which rules those are. `versions`: those that the document names.
 */
export const graphCatalog = procedure("graph.read")
  .input(z.strictObject({ versions: z.array(hexDigestSchema).max(500).default([]) }).prefault({}))
  .query(async ({ ctx, input }) => ({ ...(await registryContext(ctx.workspaceId, input.versions)), bundle: bundleDigest() }));
