import { z } from "zod";

export const interopResultsSchema = z.strictObject({
  day: z.string(),
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
export type InteropResult = z.infer<typeof interopResultsSchema>["results"][number];
