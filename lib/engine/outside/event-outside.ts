/** The events of runs that outside agents drive. */
import { z } from "zod";
import { labelSchema } from "@/lib/graph/label";
import { idSchema, uuidSchema } from "@/lib/ids";

/** The run rests until an outside agent takes one of these. `failed`: an action came to nothing, and memory is what it was before it. */
export const actionAwaitedSchema = z.strictObject({
  type: z.literal("action_awaited"),
  after: idSchema.nullable(),
  actions: z.array(z.strictObject({ node: idSchema, edge: idSchema.nullable() })).max(10_000),
  /** Of whatever decided which actions there are. */
  label: labelSchema,
  cause: z.enum(["started", "completed", "failed", "declined"]),
});

/** `inputs`: the names of what was given. */
export const actionChosenSchema = z.strictObject({
  type: z.literal("action_chosen"),
  action: idSchema,
  inputs: z.array(idSchema).max(50),
  token: uuidSchema,
  session: uuidSchema,
});
