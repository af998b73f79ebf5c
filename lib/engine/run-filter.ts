import { z } from "zod";
import { runStatusSchema } from "@/lib/engine/event";

export const runFilterSchema = z.strictObject({
  status: runStatusSchema.nullable().default(null),
  graphId: z.uuid().nullable().default(null),
  /** Runs that have not ended. */
  active: z.boolean().default(false),
  waiting: z.boolean().default(false),
  /** Passed 75 % of its budget. */
  nearBudget: z.boolean().default(false),
  refused: z.boolean().default(false),
  /** True: simulations only; false: none. */
  simulated: z.boolean().nullable().default(null),
  mine: z.boolean().default(false),
  /** Prefix of an id, or part of a graph, person or node name. */
  text: z.string().trim().max(200).default(""),
});
export type RunFilter = z.infer<typeof runFilterSchema>;
