import { z } from "zod";
import { labelSchema } from "@/lib/graph/label";
import { idSchema, uuidSchema } from "@/lib/ids";

/** `failed`: memory was restored. */
export const actionAwaitedSchema = z.strictObject({
  type: z.literal("action_awaited"),
  after: idSchema.nullable(),
  actions: z.array(z.strictObject({ node: idSchema, edge: idSchema.nullable() })).max(10_000),
  /** Of whatever determined the actions. */
  label: labelSchema,
  cause: z.enum(["started", "completed", "failed", "declined"]),
});

export const actionChosenSchema = z.strictObject({
  type: z.literal("action_chosen"),
  action: idSchema,
  inputs: z.array(idSchema).max(50),
  token: uuidSchema,
  session: uuidSchema,
});
