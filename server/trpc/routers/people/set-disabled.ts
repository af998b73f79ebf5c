import { z } from "zod";
import { procedure } from "@/server/trpc/init";
import { submitPeople } from "./submit";

/** Keeps somebody else out, which ends their sessions, or lets them in again. */
export const peopleSetDisabled = procedure("people.manage", { fresh: true })
  .input(z.strictObject({ user_id: z.uuid(), disabled: z.boolean() }))
  .mutation(({ ctx, input: { user_id: user, disabled } }) =>
    submitPeople(ctx, { kind: disabled ? "people_disable" : "people_enable", user }),
  );
