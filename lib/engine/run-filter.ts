/** Which runs are listed. */
import { z } from "zod";
import { runStatusSchema } from "@/lib/engine/event";

export const runFilterSchema = z.strictObject({
  status: runStatusSchema.nullable().default(null),
  graph_id: z.uuid().nullable().default(null),
  /** Only those with a gate that waits for people. */
  waiting: z.boolean().default(false),
  /** Only those in which something was refused. */
  refused: z.boolean().default(false),
  /** Only simulations, or none of them. */
  simulated: z.boolean().nullable().default(null),
  /** Only those that whoever asks has started. */
  mine: z.boolean().default(false),
  /** The beginning of an id, or part of the name of a graph, a person or the node that it is at. */
  text: z.string().trim().max(200).default(""),
});
export type RunFilter = z.infer<typeof runFilterSchema>;
