import { z } from "zod";
import { webhookTypeSchema } from "./types";

/** An admin's input about an endpoint. */
export const endpointFieldsSchema = z.strictObject({
  url: z.string().trim().min(1, "Required.").max(2_000),
  description: z.string().trim().max(200),
  types: z.array(webhookTypeSchema).min(1, "Select at least one event.").max(webhookTypeSchema.options.length),
});
export type EndpointFields = z.infer<typeof endpointFieldsSchema>;
