import { AppError } from "@/lib/errors";
import { listDemoCustomers } from "@/server/store/demo-customers";
import { findDemoWorkspace } from "@/server/store/workspaces/workspaces";
import { createProcedure } from "@/server/trpc/init";

/** The table that demo runs change, in the demo workspace only. */
export const homeCustomers = createProcedure("run.read").query(async ({ ctx }) => {
  if ((await findDemoWorkspace())?.id !== ctx.workspaceId) throw new AppError("not_found");

  return listDemoCustomers();
});
