import { z } from "zod";
import { labelSchema } from "@/lib/graph/label";
import { idSchema } from "@/lib/ids";
import { taskIdSchema } from "@/lib/engine/task-id";

/** The end; the record has all of it. */
export const MAX_SAID_CHARACTERS = 4_000;

export const saidSchema = z.strictObject({
  text: z.string().max(MAX_SAID_CHARACTERS),
  /** Whose arguments the model writes. */
  tool: z.string().max(300).nullable(),
});

/** Sealed; the label is the record's, computed before the call. */
export const keptSaidSchema = saidSchema.extend({
  node: idSchema,
  /** In a subgraph, whose nodes have names of their own. */
  isInner: z.boolean(),
  task: taskIdSchema,
  label: labelSchema,
});
export type KeptSaid = z.infer<typeof keptSaidSchema>;

/** Returns the seal's place, so texts cannot be swapped between runs and tasks. */
export const getSaidPlace = (runId: string, task: string): string => `said ${runId} ${task}`;
