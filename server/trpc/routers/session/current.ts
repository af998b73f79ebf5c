import { publicProcedure } from "@/server/trpc/init";

/** Who is signed in, or null. */
export const sessionCurrent = publicProcedure.query(({ ctx }) => ctx.signedIn());
