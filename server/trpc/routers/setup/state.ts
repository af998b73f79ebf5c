import { isDemoOffered } from "@/server/auth/demo-sign-in";
import { hasAdmin } from "@/server/store/setup";
import { listDemoAccounts } from "@/server/store/workspaces";
import { publicProcedure } from "@/server/trpc/init";

/** What the sign-in page offers: the demo on this machine only, and a hint when nobody has set this installation up. */
export const setupState = publicProcedure.query(async ({ ctx }) => {
  const demo = isDemoOffered(ctx.host) ? (await listDemoAccounts()).map(({ name, role }) => ({ name, role })) : null;

  return { hasAdmin: await hasAdmin(), demo };
});
