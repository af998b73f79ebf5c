import { z } from "zod";
import { uuidSchema } from "@/lib/ids";

const factPlaceSchema = z.strictObject({
  run: uuidSchema,
  seq: z.number().int().min(0),
  index: z.number().int().min(0),
});
export type FactPlace = z.infer<typeof factPlaceSchema>;

export const factCommandSchema = z.strictObject({ kind: z.literal("fact_retract"), ...factPlaceSchema.shape });
export type FactCommand = z.infer<typeof factCommandSchema>;
