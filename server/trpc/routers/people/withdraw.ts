import { z } from "zod";
import { createProcedure } from "@/server/trpc/init";
import { submitPeople } from "./submit";

export const peopleWithdraw = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ inviteId: z.uuid() }))
  .mutation(({ ctx, input }) => submitPeople(ctx, { kind: "people_withdraw", invite: input.inviteId }));
