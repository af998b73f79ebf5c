import { AppError } from "@/lib/errors";
import type { NewPerson } from "@/lib/people/membership";
import type { Role } from "@/lib/roles";
import { isDemoOffered } from "@/server/auth/demo-sign-in";
import { systemClock } from "@/server/clock";
import { seedDemoWorkspace } from "@/server/seed/demo";
import { seedDemoRuns } from "@/server/seed/demo-runs";
import { submitAs } from "@/server/seed/submit";
import { findDemoWorkspace, listDemoAccounts } from "@/server/store/workspaces/workspaces";
import { getRefusal, submitFor } from "@/server/web/membership";
import { publicProcedure } from "@/server/trpc/init";

const NAMES = {
  admin: "Ada Admin",
  builder: "Ben Builder",
  reviewer: "Rita Reviewer",
  viewer: "Vera Viewer",
} as const satisfies Record<Role, string>;

const PARENT_MS = 5_000;

const ROLES = ["admin", "builder", "reviewer", "viewer"] as const satisfies readonly Role[];

/** A wider version needs an uninvolved builder, an edit another reviewer, an opened value an auditor. */
const newAccounts = (): NewPerson[] =>
  [
    ...ROLES.map((role) => ({ name: NAMES[role], email: `${role}@demo.invalid`, role })),
    { name: "Bea Builder", email: "second.builder@demo.invalid", role: "builder" as const },
    { name: "Rolf Reviewer", email: "second.reviewer@demo.invalid", role: "reviewer" as const },
    // Second of its role: accounts are ordered by address.
    { name: "Aud Auditor", email: "with.audit@demo.invalid", role: "viewer" as const, auditor: true },
  ].map((account) => ({ ...account, id: systemClock.id(), password_hash: null }));

const foundDemo = async (people: NewPerson[]): Promise<string> => {
  const workspaceId = (await findDemoWorkspace())?.id ?? systemClock.id();
  const [first] = people;
  if (!first) throw new AppError("internal");
  try {
    await submitFor(workspaceId, first.id, { kind: "workspace_found", setup: null, name: "Demo", people });
  } catch (error) {
    // A concurrent click founded it.
    const standing = getRefusal(error) === "not_found" ? await findDemoWorkspace() : null;
    if (!standing) throw error;

    return standing.id;
  }

  return workspaceId;
};

/** Local only, because demo accounts have no password. */
export const setupCreateDemo = publicProcedure.mutation(async ({ ctx }) => {
  if (!isDemoOffered(ctx.host)) throw new AppError("forbidden", { message: "The demo is available on this machine only." });

  const workspaceId = await foundDemo(newAccounts());
  const accounts = await listDemoAccounts();
  const admin = accounts.find(({ role }) => role === "admin");
  const [author, second] = accounts.filter(({ role }) => role === "builder");
  // Only its admin may activate its servers.
  if (!admin || !author || !second) throw new AppError("conflict", { message: "The demo workspace is missing its admin or a builder." });
  await seedDemoWorkspace(workspaceId, { author: author.userId, second: second.userId }, submitAs(workspaceId, admin.userId));
  await seedDemoRuns(workspaceId, author.userId, PARENT_MS);

  return { workspaceId };
});
