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

/** As it is kept: with the tool that it is about. */
export const keptProgressSchema = callProgressSchema.extend({ server: z.string().max(200), tool: z.string().max(200) });

/** The name that a call's progress is sealed under: another call's does not open in its place. */
export const progressPlace = (effectId: string): string => `progress ${effectId}`;
