/** Progress as reported by the server: numbers of any meaning and untrusted text. */
import { z } from "zod";

export const MAX_PROGRESS_MESSAGE = 200;

export const callProgressSchema = z.strictObject({
  progress: z.number(),
  /** `null`: unknown to the server. */
  total: z.number().nullable(),
  message: z.string().max(MAX_PROGRESS_MESSAGE).nullable(),
});
export type CallProgress = z.infer<typeof callProgressSchema>;

/** Stored form, with its tool. */
export const keptProgressSchema = callProgressSchema.extend({ server: z.string().max(200), tool: z.string().max(200) });

/** Returns the name a call's progress is sealed under, so that calls cannot be swapped. */
export const getProgressPlace = (effectId: string): string => `progress ${effectId}`;
