import { z } from "zod";

export const interopResultsSchema = z.strictObject({
  day: z.string(),
  pythonIndex: z.boolean(),
  results: z.array(
    z.strictObject({
      kind: z.enum(["npm", "python", "remote"]),
      name: z.string(),
      version: z.string().nullable(),
      tools: z.number().int(),
      /** Null: active with its tools labelled and pinned. */
      failure: z.string().nullable(),
    }),
  ),
});
export type InteropResults = z.infer<typeof interopResultsSchema>;
export type InteropResult = InteropResults["results"][number];
