import { z } from "zod";

export const recordRow = z.object({ seq: z.number(), body: z.string(), digest: z.string(), kid: z.string(), signature: z.string() });

const bytesSchema = z.instanceof(Uint8Array).transform((bytes) => Uint8Array.from(bytes));

export const cellRow = z.object({
  runId: z.string(),
  seq: z.number(),
  index: z.number(),
  path: z.string(),
  label: z.string(),
  commitment: z.string(),
  sealed: bytesSchema,
  wrappedKey: bytesSchema,
});
