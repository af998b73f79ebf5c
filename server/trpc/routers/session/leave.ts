import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

export const sessionLeave = createProcedure("settings.own", { fresh: true }).mutation(({ ctx }) =>
  submitToWorkspace(ctx, { kind: "people_leave", user: ctx.user.id }),
);
