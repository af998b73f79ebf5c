import { z } from "zod";
import { groupNameSchema } from "@/lib/people/approvers";
import { webhookTypeSchema, type WebhookType } from "./types";

/** `signed`: for programs; others: a chat's incoming webhook. */
export const ENDPOINT_FORMATS = ["signed", "slack", "teams"] as const;
export const endpointFormatSchema = z.enum(ENDPOINT_FORMATS);
export type EndpointFormat = z.infer<typeof endpointFormatSchema>;

export const CHAT_TYPES: readonly WebhookType[] = ["approval.requested", "approval.reminder", "approval.escalated", "approval.resolved"];

export const endpointFieldsSchema = z
  .strictObject({
    url: z.string().trim().min(1, "Required.").max(2_000),
    description: z.string().trim().max(200),
    types: z.array(webhookTypeSchema).min(1, "Select at least one event.").max(webhookTypeSchema.options.length),
    format: endpointFormatSchema.default("signed"),
    groupName: groupNameSchema.nullable().default(null),
  })
  .refine(({ format, types }) => format === "signed" || types.every((type) => CHAT_TYPES.includes(type)), {
    path: ["types"],
    error: "A chat gets approval requests, reminders, escalations and outcomes only.",
  })
  .refine(({ groupName, types }) => groupName === null || types.every((type) => CHAT_TYPES.includes(type)), {
    path: ["types"],
    error: "Only events of approval requests have a group.",
  });
export type EndpointFields = z.infer<typeof endpointFieldsSchema>;
