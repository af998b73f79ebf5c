import { isDemoOffered } from "@/server/auth/demo-sign-in";
import { getOidcName } from "@/server/auth/oidc";
import { DEMO_GRAPH_ID } from "@/server/seed/workflows";
import { listVersions } from "@/server/store/graphs/versions";
import { hasAdmin } from "@/server/store/people/setup";
import { findDemoWorkspace, listDemoAccounts } from "@/server/store/workspaces/workspaces";
import { publicProcedure } from "@/server/trpc/init";

const demoAccounts = async () => {
  const workspace = await findDemoWorkspace();
  // Published last; without it the demo is incomplete.
  if (workspace === null || (await listVersions(workspace.id, DEMO_GRAPH_ID)).length === 0) return [];

  return (await listDemoAccounts()).map(({ name, role, second }) => ({ name, role, second }));
};

export const setupState = publicProcedure.query(async ({ ctx }) => ({
  hasAdmin: await hasAdmin(),
  demo: isDemoOffered(ctx.host) ? await demoAccounts() : null,
  identityProvider: getOidcName(),
}));
