/** Untrusted progress from a server, in any unit. */
import { z } from "zod";

export const MAX_PROGRESS_MESSAGE = 200;

export const callProgressSchema = z.strictObject({
  progress: z.number(),
  total: z.number().nullable(),
  message: z.string().max(MAX_PROGRESS_MESSAGE).nullable(),
});
export type CallProgress = z.infer<typeof callProgressSchema>;

export const keptProgressSchema = callProgressSchema.extend({ server: z.string().max(200), tool: z.string().max(200) });

/** Returns the seal's place, so calls cannot be swapped. */
export const getProgressPlace = (effectId: string): string => `progress ${effectId}`;
