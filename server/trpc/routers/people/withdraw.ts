import { z } from "zod";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

export const peopleWithdraw = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ inviteId: z.uuid() }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "people_withdraw", invite: input.inviteId }));
