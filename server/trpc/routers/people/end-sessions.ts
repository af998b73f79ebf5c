import { z } from "zod";
import { createProcedure } from "@/server/trpc/init";
import { submitPeople } from "./submit";

export const peopleEndSessions = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ userId: z.uuid(), sessionId: z.uuid().nullable() }))
  .mutation(({ ctx, input: { userId: user, sessionId: session } }) => submitPeople(ctx, { kind: "people_end_sessions", user, session }));
