/** How far a call is, as its server says: numbers of any meaning, and words that nobody vouches for. */
import { z } from "zod";

export const MAX_PROGRESS_MESSAGE = 200;

export const callProgressSchema = z.strictObject({
  progress: z.number(),
  /** `null`: the server does not know. */
  total: z.number().nullable(),
  message: z.string().max(MAX_PROGRESS_MESSAGE).nullable(),
});
export type CallProgress = z.infer<typeof callProgressSchema>;
