import { AppError } from "@/lib/errors";
import type { Role } from "@/lib/roles";
import { isDemoOffered } from "@/server/auth/demo-sign-in";
import { systemClock } from "@/server/clock";
import { ensureDemoWorkspace, type NewDemoAccount } from "@/server/store/setup";
import { publicProcedure } from "@/server/trpc/init";

const NAMES = { admin: "Ada Admin", builder: "Ben Builder", reviewer: "Rita Reviewer", viewer: "Vera Viewer" } as const satisfies Record<
  Role,
  string
>;

const ROLES = ["admin", "builder", "reviewer", "viewer"] as const satisfies readonly Role[];

const accounts = (): readonly NewDemoAccount[] =>
  ROLES.map((role) => ({ userId: systemClock.id(), name: NAMES[role], email: `${role}@demo.invalid`, role }));

/** Opens the demo workspace: on this machine only, because its accounts have no password. Doing it again changes nothing. */
export const setupCreateDemo = publicProcedure.mutation(async ({ ctx }) => {
  if (!isDemoOffered(ctx.host)) throw new AppError("forbidden", { message: "The demo is offered on this machine only." });

  const { workspaceId } = await ensureDemoWorkspace(systemClock.id(), "Demo", accounts(), "builder");

  return { workspaceId };
});
