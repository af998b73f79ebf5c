import { publicProcedure } from "@/server/trpc/init";

/** Excludes the session's key. */
export const sessionCurrent = publicProcedure.query(async ({ ctx }) => {
  const signedIn = await ctx.signedIn();
  if (signedIn === null) return null;
  const { key: _key, ...session } = signedIn.session;

  return { ...signedIn, session };
});
