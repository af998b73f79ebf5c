import { z } from "zod";

export const stopCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("work_stop") }),
  z.strictObject({ kind: z.literal("work_resume") }),
]);
export type StopCommand = z.infer<typeof stopCommandSchema>;
