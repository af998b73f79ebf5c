import { z } from "zod";
import { createProcedure } from "@/server/trpc/init";
import { submitPeople } from "./submit";

export const peopleEndSessions = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ user_id: z.uuid(), session_id: z.uuid().nullable() }))
  .mutation(({ ctx, input: { user_id: user, session_id: session } }) => submitPeople(ctx, { kind: "people_end_sessions", user, session }));
