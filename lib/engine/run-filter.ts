import { z } from "zod";
import { runStatusSchema } from "@/lib/engine/event";
import { idSchema } from "@/lib/ids";
import { daySchema } from "@/lib/saved-views";

export const RUN_DURATIONS = ["1m", "10m", "1h", "1d"] as const;
export const RUN_DURATION_SECONDS = { "1m": 60, "10m": 600, "1h": 3_600, "1d": 86_400 } as const satisfies Record<
  (typeof RUN_DURATIONS)[number],
  number
>;

export const runFilterSchema = z.strictObject({
  status: runStatusSchema.nullable().default(null),
  graphId: z.uuid().nullable().default(null),
  active: z.boolean().default(false),
  waiting: z.boolean().default(false),
  /** Passed 75 % of its budget. */
  nearBudget: z.boolean().default(false),
  refused: z.boolean().default(false),
  /** True: simulations only; false: none. */
  simulated: z.boolean().nullable().default(null),
  mine: z.boolean().default(false),
  from: daySchema.nullable().default(null),
  to: daySchema.nullable().default(null),
  took: z.enum(RUN_DURATIONS).nullable().default(null),
  environment: idSchema.nullable().default(null),
  model: z.string().min(1).max(200).nullable().default(null),
  /** Prefix of an id, or part of a graph, person or node name. */
  text: z.string().trim().max(200).default(""),
});
export type RunFilter = z.infer<typeof runFilterSchema>;
