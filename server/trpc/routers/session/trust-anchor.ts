import { trustAnchor } from "@/server/security/trust-anchor";
import { procedure } from "@/server/trpc/init";

/** The keys under which this installation signs and has signed: what a browser pins, and a verifier is given. */
export const sessionTrustAnchor = procedure("run.read").query(async ({ ctx: { workspaceId } }) => ({
  workspace: workspaceId,
  anchor: await trustAnchor(),
}));
