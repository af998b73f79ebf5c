import { z } from "zod";
import { endStatusSchema } from "@/lib/engine/event";
import { webhookTypeSchema } from "./types";

const MOST_GRAPHS = 50;

export const endpointFieldsSchema = z.strictObject({
  url: z.string().trim().min(1, "Required.").max(2_000),
  description: z.string().trim().max(200),
  types: z.array(webhookTypeSchema).min(1, "Select at least one event.").max(webhookTypeSchema.options.length),
  /** Empty: all. Workspace events have no graph. */
  graphIds: z.array(z.uuid()).max(MOST_GRAPHS).default([]),
  /** Of ended runs; empty: all. */
  statuses: z.array(endStatusSchema).max(endStatusSchema.options.length).default([]),
});
export type EndpointFields = z.infer<typeof endpointFieldsSchema>;
