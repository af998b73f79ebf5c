import { z } from "zod";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

export const alarmsAcknowledge = createProcedure("alarm.manage")
  .input(z.strictObject({ alarm: z.uuid() }))
  .mutation(({ ctx, input: { alarm } }) => submitToWorkspace(ctx, { kind: "acknowledge_alarm", alarm }));
