import { trustAnchor } from "@/server/security/trust-anchor";
import { procedure } from "@/server/trpc/init";

/** Current and former signing keys, for browsers to pin and verifiers to use. */
export const sessionTrustAnchor = procedure("run.read").query(async ({ ctx: { workspaceId } }) => ({
  workspace: workspaceId,
  anchor: await trustAnchor(),
}));
