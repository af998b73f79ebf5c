import { getTrustAnchor } from "@/server/security/trust-anchor";
import { createProcedure } from "@/server/trpc/init";

/** Includes former keys, for browsers to pin. */
export const sessionTrustAnchor = createProcedure("run.read").query(async ({ ctx: { workspaceId } }) => ({
  workspace: workspaceId,
  anchor: await getTrustAnchor(),
}));
