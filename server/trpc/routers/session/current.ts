import { publicProcedure } from "@/server/trpc/init";

/** Who is signed in, or null. The key of the session stays here. */
export const sessionCurrent = publicProcedure.query(async ({ ctx }) => {
  const signedIn = await ctx.signedIn();
  if (signedIn === null) return null;
  const { key: _key, ...session } = signedIn.session;

  return { ...signedIn, session };
});
