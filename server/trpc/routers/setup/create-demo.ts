import { AppError } from "@/lib/errors";
import type { Role } from "@/lib/roles";
import { isDemoOffered } from "@/server/auth/demo-sign-in";
import { systemClock } from "@/server/clock";
import { seedDemoWorkspace } from "@/server/seed/demo";
import { seedDemoRuns } from "@/server/seed/demo-runs";
import { submitAs } from "@/server/seed/submit";
import { ensureDemoWorkspace, type NewDemoAccount } from "@/server/store/setup";
import { listDemoAccounts } from "@/server/store/workspaces";
import { publicProcedure } from "@/server/trpc/init";

const NAMES = {
  admin: "Ada Admin",
  builder: "Ben Builder",
  reviewer: "Rita Reviewer",
  viewer: "Vera Viewer",
} as const satisfies Record<Role, string>;

/** How long whoever opens the demo waits for the run that another one is a fork of. */
const PARENT_MS = 5_000;

const ROLES = ["admin", "builder", "reviewer", "viewer"] as const satisfies readonly Role[];

/** Two builders, because a version that may do more waits for one who had no part in it; two reviewers, because an edit does. */
const newAccounts = (): readonly NewDemoAccount[] => [
  ...ROLES.map((role) => ({ userId: systemClock.id(), name: NAMES[role], email: `${role}@demo.invalid`, role })),
  { userId: systemClock.id(), name: "Bea Builder", email: "second.builder@demo.invalid", role: "builder" },
  { userId: systemClock.id(), name: "Rolf Reviewer", email: "second.reviewer@demo.invalid", role: "reviewer" },
];

/**
 * Opens the demo workspace: on this machine only, because its accounts have no password. Doing it again adds what is
 * missing, for example after the runner did not answer the first time, and changes nothing else.
 */
export const setupCreateDemo = publicProcedure.mutation(async ({ ctx }) => {
  if (!isDemoOffered(ctx.host)) throw new AppError("forbidden", { message: "The demo is offered on this machine only." });

  const { workspaceId, authorId } = await ensureDemoWorkspace(systemClock.id(), "Demo", newAccounts(), "builder");
  const admin = (await listDemoAccounts()).find(({ role }) => role === "admin");
  // Somebody disabled the demo's admin since: nobody may bring up its servers.
  if (!admin) throw new AppError("conflict", { message: "The demo workspace has no admin." });
  await seedDemoWorkspace(workspaceId, authorId, submitAs(workspaceId, admin.userId));
  await seedDemoRuns(workspaceId, authorId, PARENT_MS);

  return { workspaceId };
});
