import { publicProcedure } from "@/server/trpc/init";

/** The signed-in person, or null. The session's key stays here. */
export const sessionCurrent = publicProcedure.query(async ({ ctx }) => {
  const signedIn = await ctx.signedIn();
  if (signedIn === null) return null;
  const { key: _key, ...session } = signedIn.session;

  return { ...signedIn, session };
});
