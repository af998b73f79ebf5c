import { z } from "zod";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

export const peopleEndSessions = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ userId: z.uuid(), sessionId: z.uuid().nullable() }))
  .mutation(({ ctx, input: { userId: user, sessionId: session } }) =>
    submitToWorkspace(ctx, { kind: "people_end_sessions", user, session }),
  );
